"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const [series, show, from, earlier, later, list, count, whose] =
    ["series", "show", "from", "earlier", "later", "list", "count", "whose"]
      .map((id) => document.getElementById(id));
  const SHOWN = 50;
  const AGENTS = ["one", "two"];

  // Text goes in as text nodes alone: nothing that was said can become markup.
  const node = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // "<world><acts>.<end><winner><points>,<points>": see the tables beside the rounds.
  const read = (text, number) => {
    const [head, tail] = text.split(".");
    const place = parseInt(head[0], 36);
    const world = data.worlds[place];
    const first = AGENTS.indexOf(world.opener);
    const acts = [...head.slice(1)].map((letter, turn) => {
      const agent = (first + turn) % 2;
      const index = parseInt(letter, 36);
      const fault = data.faults[index - data.acts.length];
      const mark = fault ? "f" : data.marks[place][agent][index];
      return { agent: AGENTS[agent], words: fault || data.acts[index], mark };
    });
    const end = parseInt(tail[0], 36);
    const winner = AGENTS[Number(tail[1]) - 1] || "";
    const points = tail.slice(2).split(",").filter(Boolean).map(Number);
    return { number, world, acts, end: data.ends[end], isVoid: data.void[end], winner, points };
  };

  const marked = (round, mark) => round.acts.some((act) => act.mark === mark);
  const KEEP = {
    "": () => true,
    lie: (round) => marked(round, "l"),
    told: (round) => marked(round, "x"),
    one: (round) => round.winner === "one",
    two: (round) => round.winner === "two",
    drawn: (round) => !round.winner && !round.isVoid,
    fault: (round, said) => round.isVoid || marked(round, "f") || said.length > 0,
  };
  const MARKS = { l: ["lie", "lie"], x: ["told", "exclusion"], f: ["fault", "fault"] };

  let rounds = [];
  let at = 0;
  const chosen = () => data.series[Number(series.value)];
  const said = (round) => chosen().said[round.number] || [];
  const kept = () => rounds.filter((round) => KEEP[show.value](round, said(round)));

  const actNode = (act) => {
    const made = node("span", `act ${act.agent}`);
    made.append(node("b", "", `${act.agent} `), act.words);
    const mark = MARKS[act.mark];
    if (mark) made.append(" ", node("span", `mark ${mark[0]}`, mark[1]));
    return made;
  };

  const rowOf = (round) => {
    const row = node("tr");
    const cell = (name, className, text) => {
      const made = node("td", className, text);
      made.dataset.label = name;
      return made;
    };
    const done = cell("what was done", "");
    done.append(...round.acts.map(actNode));
    said(round).forEach(([agent, fault, text]) => {
      const raw = node("span", "raw", `${agent}, ${fault}: ${text || "(nothing)"}`);
      raw.dir = "auto";
      done.append(raw);
    });
    const end = round.isVoid ? `void: ${round.end}` : round.end;
    row.append(
      cell("round", "num", String(round.number)),
      cell("hidden", "", round.world.hidden),
      cell("own sets", "", `${round.world.one} / ${round.world.two}`),
      done,
      cell("end", "", round.winner ? `${end}, ${round.winner} wins` : end),
      cell("points", "num", round.isVoid ? "none: void" : round.points.join(" / ").replaceAll("-", "\u2212")),
    );
    return row;
  };

  const noteRow = ([after, agent, version]) => {
    const row = node("tr", "note-row");
    const cell = node("td", "", `after round ${after} agent ${agent} wrote note v${version}`);
    cell.colSpan = 6;
    row.append(cell);
    return row;
  };

  const update = () => {
    const found = kept();
    at = Math.max(0, Math.min(at, found.length - 1));
    const page = found.slice(at, at + SHOWN);
    const notes = show.value ? [] : chosen().notes;
    list.replaceChildren(...page.flatMap((round) => [
      rowOf(round), ...notes.filter(([after]) => after === round.number).map(noteRow),
    ]));
    const span = page.length ? `, ${at + 1} to ${at + page.length} shown` : "";
    count.textContent = `${found.length} of ${rounds.length} rounds${span}`;
    earlier.disabled = at === 0;
    later.disabled = at + SHOWN >= found.length;
  };

  const open = () => {
    const one = chosen();
    rounds = one.rounds.map((text, index) => read(text, index + 1));
    whose.textContent = `${one.title}; own sets and points: ${one.one} / ${one.two}`;
    from.max = String(rounds.length);
    at = 0;
    update();
  };

  const begin = () => {
    const wanted = Number(from.value) || 1;
    const place = kept().findIndex((round) => round.number >= wanted);
    at = place < 0 ? Infinity : place;
    update();
  };

  // What is folded away is put on paper too.
  const folded = () => [...document.querySelectorAll("details:not([open])")];
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = folded();
    opened.forEach((one) => { one.open = true; });
  });
  window.addEventListener("afterprint", () => opened.forEach((one) => { one.open = false; }));

  document.querySelector("form.browser").addEventListener("submit", (event) => event.preventDefault());
  series.append(...data.series.map((one, index) => {
    const option = node("option", "", one.title);
    option.value = String(index);
    return option;
  }));
  series.addEventListener("input", () => { from.value = "1"; open(); });
  show.addEventListener("input", begin);
  from.addEventListener("input", begin);
  earlier.addEventListener("click", () => { at -= SHOWN; update(); });
  later.addEventListener("click", () => { at += SHOWN; update(); });
  if (data.series.length) open();
  else count.textContent = "No round has been played.";
})();
