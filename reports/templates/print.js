"use strict";
(() => {
  const rows = [...document.querySelectorAll("#claims tbody tr")];
  const standing = document.getElementById("standing");
  const find = document.getElementById("find");
  const count = document.getElementById("count");
  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));

  const update = () => {
    const sought = find.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row) => {
      const kept = (!standing.value || row.dataset.standing === standing.value) &&
        (!sought || words.get(row).includes(sought));
      row.hidden = !kept;
      shown += kept;
    });
    count.textContent = `${shown} of ${rows.length} claims`;
  };

  [standing, find].forEach((control) => control.addEventListener("input", update));
  document.querySelector("form.browser").addEventListener("submit", (event) => event.preventDefault());
  // A link to a claim that the filter hides shows everything again.
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.hidden) { standing.value = ""; find.value = ""; update(); target.scrollIntoView(); }
  });
  update();
})();
