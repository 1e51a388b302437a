/** Warns of a code base that takes so much memory that the tab may end, and says what to leave out. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { WeightAnswer } from "../../engine/view/weight.ts";
import { useAnswer, useQuestion, useSelect } from "../hooks.ts";
import { memoryNeeded, memoryThere } from "../memory.ts";
import { size } from "../words.ts";
import { CloseIcon, PointIcon } from "./icons.tsx";
import { IconButton } from "./basics.tsx";
import { Sentence } from "./sentence.tsx";
import { strings } from "../strings.ts";

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
        <strong>{strings.weight.thisTabMayRun}</strong>{" "}
        <span>{strings.weight.takesAbout(repo, size(memoryNeeded(source)), size(there))}</span>
        {folders.length > 0 && <>{" "}<Sentence words={strings.weight.leaveOutWhatYou} parts={{
          folders: folders.map(({ path, source: own }, i) => <>{i > 0 ? ", " : ""}<Sentence words={strings.weight.ofSource(size(own))} parts={{ folder: <code>{path}/</code> }} /></>),
          gitignore: <code>.gitignore</code>, exclude: <code>.git/info/exclude</code>, repo: <code>--repo</code>,
        }} /></>}
      </div>
      <IconButton label={strings.weight.dismiss} onClick={() => setDismissed(repo)}><CloseIcon /></IconButton>
    </div>
  );
}
