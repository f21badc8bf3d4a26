"""Writes networks of Tic Tac Toe that fail: seldom.onnx in a single position, at-once.onnx unless it is asked about two at once.

Otherwise they say that all is alike. Needs the packages onnx and numpy:

    python3 failing.py
"""

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

# The numbers of `raichi encode tic-tac-toe`: nine points (0 empty, 1 own, 2 the other's), and who is to act.
OBSERVATION = 10
# After a1 a2 c3 b3, as the seat that acts sees it.
POSITION = [1, 0, 0, 2, 0, 0, 0, 2, 1, 1]


def floats(name, numbers):
    return numpy_helper.from_array(np.array(numbers, dtype=np.float32), name)


def whole(name, numbers):
    return numpy_helper.from_array(np.array(numbers, dtype=np.int64), name)


def write(name, nodes, constants):
    of_floats = helper.make_tensor_value_info
    zeros = [
        helper.make_node("MatMul", ["observation", "no_policy"], ["plain_policy"]),
        helper.make_node("MatMul", ["observation", "no_value"], ["value"]),
    ]
    constants = [
        floats("no_policy", np.zeros((OBSERVATION, 9))),
        floats("no_value", np.zeros((OBSERVATION, 1))),
        *constants,
    ]
    graph = helper.make_graph(
        [*zeros, *nodes],
        name,
        [of_floats("observation", TensorProto.FLOAT, ["positions", OBSERVATION])],
        [
            of_floats("policy", TensorProto.FLOAT, ["positions", 9]),
            of_floats("value", TensorProto.FLOAT, ["positions", 1]),
        ],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    save(model, f"{name}.onnx")


# A row of a table that has one row only: the second is asked for where all numbers are those of the position.
write(
    "seldom",
    [
        helper.make_node("Equal", ["observation", "position"], ["is_there"]),
        helper.make_node("Cast", ["is_there"], ["there"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["there", "ones"], ["n_there"]),
        helper.make_node("Sub", ["n_there", "most"], ["beyond"]),
        helper.make_node("Relu", ["beyond"], ["row"]),
        helper.make_node("Cast", ["row"], ["whole_row"], to=TensorProto.INT64),
        helper.make_node("Gather", ["table", "whole_row"], ["read"]),
        helper.make_node("Add", ["plain_policy", "read"], ["policy"]),
    ],
    [
        floats("position", POSITION),
        floats("ones", np.ones((OBSERVATION, 1))),
        floats("most", OBSERVATION - 1),
        floats("table", [0]),
    ],
)
write(
    "at-once",
    [helper.make_node("Reshape", ["plain_policy", "two"], ["policy"])],
    [whole("two", [2, 9])],
)
