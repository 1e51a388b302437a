/** Three steps for the first use. Shown beside the first graph, and never again. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useApp, useSelect } from "../hooks.ts";
import { strings } from "../strings.ts";

const STEPS: readonly { title: string; text: string }[] = [
  { title: strings.welcome.theMapOpens, text: strings.welcome.eachDiscIsA },
  { title: strings.welcome.readAlongTheCalls, text: strings.welcome.clickASymbolFor },
  { title: strings.welcome.seeWhatYourAgent, text: strings.welcome.callsOfYourAgent },
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
      <p class="muted">{strings.welcome.outOf(at + 1, STEPS.length)}</p>
      <h2 id="welcome-title">{step.title}</h2>
      <p aria-live="polite">{step.text}</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => (at + 1 < STEPS.length ? setAt(at + 1) : done())}>{at + 1 < STEPS.length ? strings.welcome.next : strings.welcome.start}</button>
        {at > 0 && <button type="button" class="button" onClick={() => setAt(at - 1)}>{strings.welcome.back}</button>}
        <span class="spring" />
        {at + 1 < STEPS.length && <button type="button" class="button quiet" onClick={done}>{strings.welcome.skip}</button>}
      </div>
    </section>
  );
}
