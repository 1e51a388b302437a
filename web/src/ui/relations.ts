/** The tabs of the reading view: what stands around a symbol, by what it is to it. */
import type { Card, Neighbour, SymbolAnswer } from "../engine/view/symbol.ts";
import { strings } from "./strings.ts";

export interface Tab {
  key: string;
  title: string;
  cards: (Card & Partial<Neighbour>)[];
  /** How many there are; `cards` may be fewer. */
  total: number;
}

/** Names of relations by their type, seen from the node at which they arrive and from the one that they leave. */
const WORDS: Record<string, readonly [arriving: string, leaving: string]> = {
  CALLS: [strings.relations.callers, strings.relations.callees], REFERENCES: [strings.relations.references, strings.relations.refersTo], IMPORTS: [strings.relations.importedBy, strings.relations.imports], EXTENDS: [strings.relations.heirs, strings.relations.extends],
  IMPLEMENTS: [strings.relations.heirs, strings.relations.implements], HANDLES: [strings.relations.routes, strings.relations.handledBy], READS: [strings.relations.readBy, strings.relations.reads], WRITES: [strings.relations.writtenBy, strings.relations.writes],
};

/** `withCalls`: callers and callees are tabs, too, because there is no room for them beside the code. */
export function tabsOf(info: SymbolAnswer, withCalls: boolean): Tab[] {
  const tabs = new Map<string, Tab>();
  const add = (title: string, card: Card & Partial<Neighbour>): void => {
    const key = title.toLowerCase().replaceAll(" ", "-");
    let tab = tabs.get(key);
    if (!tab) tabs.set(key, (tab = { key, title, cards: [], total: 0 }));
    // One that extends and implements is one heir.
    if (tab.cards.some(({ id }) => id === card.id)) return;
    tab.cards.push(card);
    tab.total++;
  };
  for (const edge of info.arriving) {
    if (edge.type === "CALLS" && edge.test && !info.node.test) add(strings.relations.tests, edge);
    else if (edge.type !== "CALLS" || withCalls) add(WORDS[edge.type]?.[0] ?? edge.type, edge);
  }
  for (const edge of info.leaving) if (edge.type !== "CALLS" || withCalls) add(WORDS[edge.type]?.[1] ?? edge.type, edge);
  for (const card of info.implementations) add(strings.relations.heirs, card);
  for (const card of info.members) add(strings.relations.members, card);
  const code: Tab = { key: "code", title: strings.relations.code, cards: [], total: 0 };
  return [...(info.node.file === "" ? [] : [code]), ...tabs.values()];
}
