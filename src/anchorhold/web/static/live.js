// Keeps the first page of the dashboard up to date: asks for the matches, which is little, and for the whole page only
// when the register is another. Without it the browser loads the page anew every few seconds; nothing else depends on it.
"use strict";
(() => {
  const line = document.getElementById("connection");
  if (!line) return; // a page that does not change by itself
  const EVERY = 2000;
  const PART = "matches.html";
  let tag = null;
  let lost = null;

  const clock = (moment) => moment.toISOString().slice(11, 19);
  const parsed = (text) => new DOMParser().parseFromString(text, "text/html");
  const shown = (page) => page.getElementById("matches")?.dataset.register;

  function say(words, moment) {
    line.hidden = false;
    line.textContent = `${words} ${clock(moment)}`;
  }

  function exchange(fresh) {
    for (const now of fresh.querySelectorAll("[data-live]")) {
      const old = document.getElementById(now.id);
      if (!old || old.outerHTML.replaceAll(' open=""', "") === now.outerHTML) continue;
      const places = "a, button, summary, [tabindex]";
      const focused = [...old.querySelectorAll(places)].indexOf(document.activeElement);
      const made = document.importNode(now, true);
      // What the reader opened stays open.
      for (const open of old.querySelectorAll("details[open][id]")) {
        const again = made.querySelector(`#${CSS.escape(open.id)}`);
        if (again) again.open = true;
      }
      old.replaceWith(made);
      // An enlarged picture stays large: the browser forgets the place that an address names when it is exchanged.
      if (location.hash && made.querySelector(`#${CSS.escape(location.hash.slice(1))}`)) location.replace(location.hash);
      // Whoever reads by keyboard stays where they were.
      if (focused >= 0) made.querySelectorAll(places)[focused]?.focus({ preventScroll: true });
    }
  }

  function exchangeAll(fresh) {
    exchange(fresh);
    // A part that appears for the first time has no place yet.
    const wanted = [...fresh.querySelectorAll("main > [data-live]")].map((part) => part.id).join();
    const there = [...document.querySelectorAll("main > [data-live]")].map((part) => part.id).join();
    if (wanted !== there) document.querySelector("main").replaceWith(document.importNode(fresh.querySelector("main"), true));
  }

  async function asked(address, headers = {}) {
    const answer = await fetch(address, { headers, cache: "no-store", signal: AbortSignal.timeout(15000) });
    if (answer.status === 401 || answer.status === 403) location.reload();
    return answer;
  }

  async function look() {
    if (!document.hidden) {
      try {
        const answer = await asked(PART, tag ? { "If-None-Match": tag } : {});
        if (answer.status !== 304) {
          const part = parsed(await answer.text());
          if (shown(part) !== shown(document)) exchangeAll(parsed(await (await asked("./")).text()));
          else exchange(part);
          tag = answer.headers.get("ETag");
        }
        lost = null;
        say(line.dataset.updated, new Date());
      } catch {
        lost = lost ?? new Date();
        say(line.dataset.lost, lost);
      }
    }
    setTimeout(look, EVERY);
  }

  document.addEventListener("visibilitychange", () => { line.hidden = document.hidden; });
  look();
})();
