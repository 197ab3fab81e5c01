// Keeps a page of the dashboard up to date: asks for the page again, and exchanges the parts that changed.
// Without it the browser loads the page anew every few seconds; nothing else depends on it.
"use strict";
(() => {
  const line = document.getElementById("connection");
  if (!line) return; // a page that does not change by itself
  const EVERY = 2000;
  let tag = null;
  let lost = null;

  const clock = (moment) => moment.toISOString().slice(11, 19);

  function say(words, moment) {
    line.hidden = false;
    line.textContent = `${words} ${clock(moment)}`;
  }

  function exchange(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    for (const now of fresh.querySelectorAll("[data-live]")) {
      const old = document.getElementById(now.id);
      if (!old || old.outerHTML === now.outerHTML) continue;
      const places = "a, button, summary, [tabindex]";
      const focused = [...old.querySelectorAll(places)].indexOf(document.activeElement);
      const made = document.importNode(now, true);
      old.replaceWith(made);
      // An enlarged picture stays large: the browser forgets the place that an address names when it is exchanged.
      if (location.hash && made.querySelector(`#${CSS.escape(location.hash.slice(1))}`)) location.replace(location.hash);
      // Whoever reads by keyboard stays where they were.
      if (focused >= 0) made.querySelectorAll(places)[focused]?.focus({ preventScroll: true });
    }
    // A part that appears for the first time has no place yet.
    const wanted = [...fresh.querySelectorAll("main > [data-live]")].map((part) => part.id).join();
    const there = [...document.querySelectorAll("main > [data-live]")].map((part) => part.id).join();
    if (wanted !== there) document.querySelector("main").replaceWith(document.importNode(fresh.querySelector("main"), true));
  }

  async function look() {
    if (!document.hidden) {
      try {
        const headers = tag ? { "If-None-Match": tag } : {};
        const answer = await fetch(location.href, { headers, cache: "no-store", signal: AbortSignal.timeout(15000) });
        if (answer.status === 401 || answer.status === 403) return location.reload();
        if (answer.status !== 304) {
          exchange(await answer.text());
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
