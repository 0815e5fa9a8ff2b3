"use strict";
(() => {
  const traces = JSON.parse(document.getElementById("traces").textContent);
  const list = document.getElementById("list");
  const view = document.getElementById("match");
  const count = document.getElementById("count");
  const controls = ["find", "game", "end", "disputed"].map((id) => document.getElementById(id));
  const SHOWN = 200;

  // Text goes in as text nodes alone: nothing that was said can become markup.
  const node = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const words = (trace) =>
    [trace.title, trace.secret, ...trace.lines.map((line) => line.text)].join("\n").toLowerCase();
  traces.forEach((trace) => { trace.words = words(trace); });

  const kept = () => {
    const [find, game, end, disputed] = controls;
    const sought = find.value.trim().toLowerCase();
    return traces.filter((trace) =>
      (!sought || trace.words.includes(sought)) &&
      (!game.value || trace.game === game.value) &&
      (!end.value || trace.end === end.value) &&
      (!disputed.checked || trace.disputed));
  };

  const show = (trace, button) => {
    list.querySelectorAll("button").forEach((one) => one.removeAttribute("aria-current"));
    if (button) button.setAttribute("aria-current", "true");
    view.replaceChildren(node("h3", "", trace.title));
    const facts = node("p", "", `Secret: ${trace.secret}. ${trace.outcome}`);
    facts.dir = "auto";
    view.append(facts);
    trace.lines.forEach((line) => {
      const block = node("div", `line ${line.speaker}`);
      block.dataset.place = `${line.turn}/${line.speaker}`;
      const text = node("div", "text", line.text);
      text.dir = "auto";
      block.append(node("div", "who-said", `${line.speaker} · turn ${line.turn}`), text);
      line.rulings.forEach((ruling) =>
        block.append(node("div", ruling.differs ? "ruling differs" : "ruling", ruling.said)));
      view.append(block);
    });
  };

  const update = () => {
    const found = kept();
    list.replaceChildren(...found.slice(0, SHOWN).map((trace) => {
      const row = node("li");
      const button = node("button", "", trace.title);
      button.type = "button";
      button.append(node("small", "", trace.outcome));
      button.addEventListener("click", () => show(trace, button));
      row.append(button);
      return row;
    }));
    const more = found.length > SHOWN ? `, the first ${SHOWN} listed` : "";
    count.textContent = `${found.length} of ${traces.length} matches${more}`;
  };

  // "#match-<match>/t<turn>/<kind of item>" leads to a line of a transcript.
  const follow = () => {
    const [named, turn, kind] = decodeURIComponent(location.hash).split("/");
    const trace = traces.find((one) => `#match-${one.id}` === named);
    if (!trace) return;
    show(trace);
    const speaker = kind === "holder_reply" ? "holder" : "seeker";
    const place = `${Number((turn || "").slice(1))}/${speaker}`;
    const line = [...view.querySelectorAll(".line")].find((one) => one.dataset.place === place);
    if (line) line.classList.add("asked");
    (line || view).scrollIntoView({ block: "center" });
  };

  controls.forEach((control) => control.addEventListener("input", update));
  window.addEventListener("hashchange", follow);
  document.querySelector("form.browser").addEventListener("submit", (event) => event.preventDefault());
  update();
  if (traces.length) show(traces[0], list.querySelector("button"));
  follow();
})();
