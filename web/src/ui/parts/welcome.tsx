/** Three steps for the first use. Shown beside the first graph, and never again. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useApp, useSelect } from "../hooks.ts";

const STEPS: readonly { title: string; text: string }[] = [
  { title: "The map opens", text: "Each disc is a folder with what is in it; lines are calls and imports between them, added up. Zoom in or double-click, and a disc opens. Every symbol can be reached so, or by Ctrl K." },
  { title: "Read along the calls", text: "Click a symbol for its neighbours and its code. Read shows who calls it at the left and what it calls at the right, and every step is in the address: back, reload and links lead there again." },
  { title: "See what your agent sees", text: "Calls of your agent appear in the sidebar as they run, and open as the picture that it was told. With Follow the agent the page goes along. Press ? for all keys." },
];

export function Welcome(): JSX.Element | null {
  const { store } = useApp();
  const wanted = useSelect((s) => s.loaded !== null && !s.introduced);
  const [at, setAt] = useState(0);
  const step = STEPS[at];
  if (!wanted || !step) return null;
  const done = (): void => store.dispatch({ type: "introduced" });
  return (
    <section class="welcome" aria-labelledby="welcome-title" data-floats>
      <p class="muted">{at + 1} of {STEPS.length}</p>
      <h2 id="welcome-title">{step.title}</h2>
      <p aria-live="polite">{step.text}</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => (at + 1 < STEPS.length ? setAt(at + 1) : done())}>{at + 1 < STEPS.length ? "Next" : "Start"}</button>
        {at > 0 && <button type="button" class="button" onClick={() => setAt(at - 1)}>Back</button>}
        <span class="spring" />
        {at + 1 < STEPS.length && <button type="button" class="button quiet" onClick={done}>Skip</button>}
      </div>
    </section>
  );
}
