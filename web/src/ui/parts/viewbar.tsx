/** The bar over the stage: which picture of the code is shown, and of what. */
import type { JSX } from "preact";
import type { ViewName } from "../address.ts";
import { useApp, useSelect } from "../hooks.ts";

const VIEWS: readonly { view: ViewName; title: string; ofNode: boolean }[] = [
  { view: "map", title: "Map", ofNode: false },
  { view: "read", title: "Read", ofNode: true },
  { view: "local", title: "Surroundings", ofNode: true },
  { view: "impact", title: "Impact", ofNode: true },
  { view: "path", title: "Path", ofNode: true },
  { view: "changes", title: "Changes", ofNode: false },
  { view: "trail", title: "Trail", ofNode: false },
  { view: "query", title: "Query", ofNode: false },
  { view: "activity", title: "Activity", ofNode: false },
];

export function ViewBar(): JSX.Element {
  const { store } = useApp();
  const view = useSelect((s) => s.place.view);
  const node = useSelect((s) => s.place.node);
  // Folders and clusters have a page to read, and nothing else.
  const can = (to: ViewName): boolean => node !== null && !/^(Process|Group)$/.test(node.kind) && (to === "read" || node.kind !== "Community");
  return (
    <nav class="view-bar" aria-label="Views">
      {VIEWS.map(({ view: each, title, ofNode }) => (
        <button key={each} type="button" class={each === view ? "on" : ""} aria-current={each === view ? "page" : undefined} disabled={ofNode && !can(each)}
          title={ofNode && !can(each) ? `${title}: select a symbol first` : title} onClick={() => store.dispatch({ type: "go", to: { view: each } })}>{title}</button>
      ))}
      {node && view !== "map" && <span class="view-node ellipsis mono">{node.name}</span>}
    </nav>
  );
}
