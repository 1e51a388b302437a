/** Warns of a code base that takes so much memory that the tab may end, and says what to leave out. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { WeightAnswer } from "../../engine/view/weight.ts";
import { useAnswer, useQuestion, useSelect } from "../hooks.ts";
import { memoryNeeded, memoryThere } from "../memory.ts";
import { size } from "../words.ts";
import { CloseIcon, PointIcon } from "./icons.tsx";
import { IconButton } from "./basics.tsx";

/** Code bases of fewer files are not weighed. */
const MANY_FILES = 3_000;
/** Share of the memory from which on there is something to say. */
const NEAR = 0.6;

export function WeightBanner(): JSX.Element | null {
  const many = useSelect((s) => (s.loaded?.context.stats.files ?? 0) >= MANY_FILES);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const [dismissed, setDismissed] = useState("");
  const answer = useAnswer(useQuestion("view_weight", many && dismissed !== repo ? {} : null), (value) => value as WeightAnswer, true);
  if (answer.state !== "ok" || dismissed === repo) return null;
  const { source, folders } = answer.value;
  const there = memoryThere();
  if (memoryNeeded(source) < NEAR * there) return null;
  return (
    <div class="banner tone-warn" role="alert">
      <PointIcon />
      <div class="banner-text">
        <strong>This tab may run out of memory.</strong> {repo} takes about {size(memoryNeeded(source))} of the {size(there)} that it can have.
        {folders.length > 0 && <> Leave out what you do not ask about: {folders.map(({ path, source: own }, i) => <>{i > 0 ? ", " : ""}<code>{path}/</code> ({size(own)} of source)</>)}. A line in <code>.gitignore</code> or <code>.git/info/exclude</code> does it, or <code>--repo</code> with a part.</>}
      </div>
      <IconButton label="Dismiss" onClick={() => setDismissed(repo)}><CloseIcon /></IconButton>
    </div>
  );
}
