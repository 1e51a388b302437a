/** The bar over the stage: which picture of the code is shown, and of what. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ViewName } from "../address.ts";
import { useApp, useSelect } from "../hooks.ts";
import { VIEW_WORDS } from "../words.ts";
import { strings } from "../strings.ts";

const VIEWS: readonly ViewName[] = ["map", "read", "local", "impact", "path", "changes", "trail", "query", "activity"];
const OF_NODE: ReadonlySet<ViewName> = new Set(["read", "local", "impact", "path"]);

export function ViewBar(): JSX.Element {
  const { store } = useApp();
  const view = useSelect((s) => s.place.view);
  const node = useSelect((s) => s.place.node);
  const bar = useRef<HTMLElement>(null);
  // On a narrow page the bar scrolls. Not by scrollIntoView: Tab would go on from there.
  useEffect(() => {
    const [all, shown] = [bar.current, bar.current?.querySelector(".on")].map((element) => element?.getBoundingClientRect());
    if (all && shown) bar.current!.scrollLeft += shown.x + shown.width / 2 - (all.x + all.width / 2);
  }, [view]);
  // Folders and clusters have a page to read, and nothing else.
  const can = (to: ViewName): boolean => node !== null && !/^(Process|Group)$/.test(node.kind) && (to === "read" || node.kind !== "Community");
  return (
    <nav ref={bar} class="view-bar" aria-label={strings.viewbar.views}>
      {VIEWS.map((each) => {
        const off = OF_NODE.has(each) && !can(each);
        const title = VIEW_WORDS[each];
        return (
          <button key={each} type="button" class={each === view ? "on" : ""} aria-current={each === view ? "page" : undefined} disabled={off}
            title={off ? strings.viewbar.selectASymbolFirst(title) : title} onClick={() => store.dispatch({ type: "go", to: { view: each } })}>{title}</button>
        );
      })}
      {node && view !== "map" && <span class="view-node ellipsis mono">{node.name}</span>}
    </nav>
  );
}
