"""Writes tic-tac-toe.onnx, a network made by hand: it wins where it can, else blocks, else prefers the middle and corners.

It stands for what a trainer in Python exports; the tests of this folder play it. Needs the packages onnx and numpy:

    python3 tic_tac_toe.py
"""

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

# The numbers of `raichi encode tic-tac-toe`: nine points (0 empty, 1 own, 2 the other's), and who is to act.
OBSERVATION = 10
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
LIKED = [2, 1, 2, 1, 3, 1, 2, 1, 2]


def constant(name, numbers):
    return numpy_helper.from_array(np.array(numbers, dtype=np.float32), name)


on_lines = [[float(point in line) for line in LINES] for point in range(9)]
constants = [
    constant("one", 1),
    constant("two", 2),
    constant("points", np.eye(OBSERVATION)[:, :9]),
    constant("on_lines", on_lines),
    constant("lines_on", np.array(on_lines).T),
    constant("hundred", 100),
    constant("ten", 10),
    constant("liked", LIKED),
    constant("lines", np.ones((8, 1))),
]


def node(kind, inputs, output, **attributes):
    return helper.make_node(kind, inputs, [output], **attributes)


def stones(who, number):
    """How many stones of `who` lie on each line, from the numbers of the points."""
    return [
        node("Equal", ["board", number], f"{who}_is"),
        node("Cast", [f"{who}_is"], f"{who}_stones", to=TensorProto.FLOAT),
        node("MatMul", [f"{who}_stones", "on_lines"], f"{who}_count"),
    ]


def open_twos(who, other):
    """The lines with two stones of `who` and none of `other`."""
    return [
        node("Sub", [f"{who}_count", f"{other}_count"], f"{who}_ahead"),
        node("Equal", [f"{who}_ahead", "two"], f"{who}_two_is"),
        node("Cast", [f"{who}_two_is"], f"{who}_two", to=TensorProto.FLOAT),
        node("MatMul", [f"{who}_two", "lines_on"], f"{who}_two_on"),
    ]


nodes = [
    node("MatMul", ["observation", "points"], "board"),
    *stones("own", "one"),
    *stones("other", "two"),
    *open_twos("own", "other"),
    *open_twos("other", "own"),
    node("Mul", ["own_two_on", "hundred"], "wins"),
    node("Mul", ["other_two_on", "ten"], "blocks"),
    node("Add", ["wins", "blocks"], "urgent"),
    node("Add", ["urgent", "liked"], "policy"),
    # Who acts wins with a two of its own, and is in danger with two of the other's.
    node("Sub", ["own_two", "other_two"], "better"),
    node("MatMul", ["better", "lines"], "lead"),
    node("Tanh", ["lead"], "value"),
]
of_floats = helper.make_tensor_value_info
graph = helper.make_graph(
    nodes,
    "tic-tac-toe",
    [of_floats("observation", TensorProto.FLOAT, ["positions", OBSERVATION])],
    [of_floats("policy", TensorProto.FLOAT, ["positions", 9]), of_floats("value", TensorProto.FLOAT, ["positions", 1])],
    constants,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
checker.check_model(model)
save(model, "tic-tac-toe.onnx")
