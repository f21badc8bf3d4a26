for (const stepper of document.querySelectorAll(".stepper")) {
  const games = JSON.parse(stepper.querySelector("script").textContent);
  const find = (name) => stepper.querySelector(`[data-part=${name}]`);
  const [choice, range, position, said] = ["choice", "range", "position", "said"].map(find);
  let game = games[0];
  const show = (at) => {
    range.value = Math.max(0, Math.min(game.frames.length - 1, at));
    const frame = game.frames[range.value];
    position.innerHTML = frame.drawing;
    said.textContent = frame.said;
  };
  const choose = () => {
    game = games[choice.value];
    range.max = game.frames.length - 1;
    show(game.frames.length - 1);
  };
  const steps = { first: () => 0, back: (at) => at - 1, on: (at) => at + 1, last: () => Infinity };
  for (const [name, to] of Object.entries(steps)) find(name).onclick = () => show(to(Number(range.value)));
  choice.onchange = choose;
  range.oninput = () => show(Number(range.value));
  choose();
}
