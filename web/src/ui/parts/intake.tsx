/** The ways in for a repository of the user's own: two file dialogs, and drops anywhere on the page. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { dropped, fromDropped, fromPicked } from "../files.ts";
import { useApp } from "../hooks.ts";
import { count } from "../words.ts";
import { FolderIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

export function Intake(): JSX.Element {
  const { store, session, pick } = useApp();
  const folder = useRef<HTMLInputElement>(null);
  const zip = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [found, setFound] = useState<number | null>(null);
  const refuse = (why: unknown): void =>
    store.dispatch({ type: "notice", notice: { tone: "bad", text: why instanceof Error ? why.message : String(why) } });

  useEffect(() => {
    pick.folder = () => folder.current?.click();
    pick.zip = () => zip.current?.click();
    // A drag passes over many elements; it has left the page when as many were left as entered.
    let depth = 0;
    const carriesFiles = (e: DragEvent): boolean => e.dataTransfer?.types.includes("Files") ?? false;
    const enter = (e: DragEvent): void => {
      if (!carriesFiles(e)) return;
      e.preventDefault();
      depth++;
      setOver(true);
    };
    const leave = (e: DragEvent): void => {
      if (carriesFiles(e) && --depth <= 0) setOver(false);
    };
    const allow = (e: DragEvent): void => {
      if (carriesFiles(e)) e.preventDefault();
    };
    const drop = (e: DragEvent): void => {
      if (!e.dataTransfer || !carriesFiles(e)) return;
      e.preventDefault();
      depth = 0;
      setOver(false);
      const entries = dropped(e.dataTransfer);
      setFound(0);
      fromDropped(entries, setFound).then((source) => session.load(source), refuse).finally(() => setFound(null));
    };
    const listeners = [["dragenter", enter], ["dragleave", leave], ["dragover", allow], ["drop", drop]] as const;
    for (const [name, listener] of listeners) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener);
    };
  }, [store, session, pick]);

  const picked = (input: HTMLInputElement, load: (files: FileList) => void): void => {
    const { files } = input;
    try {
      if (files && files.length > 0) load(files);
    } catch (why) {
      refuse(why);
    }
    // The same folder picked again is a change again.
    input.value = "";
  };

  return (
    <>
      <input id="pick-folder" ref={folder} type="file" hidden multiple {...{ webkitdirectory: true }}
        onChange={(e) => picked(e.currentTarget, (files) => session.load(fromPicked(files)))} />
      <input id="pick-zip" ref={zip} type="file" hidden accept=".zip,application/zip"
        onChange={(e) => picked(e.currentTarget, (files) => session.load({ kind: "zip", file: files[0]! }))} />
      {(over || found !== null) && (
        <div class="drop" role="status">
          <div class="drop-frame">
            <FolderIcon />
            <p>{over ? strings.intake.dropAFolderOr : strings.intake.listingFiles(count(found ?? 0))}</p>
            <p class="muted">{strings.intake.nothingLeavesThisMachine}</p>
          </div>
        </div>
      )}
    </>
  );
}
