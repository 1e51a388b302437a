import type { MountFact } from "../../facts.ts";
import type { Annotated } from "./calls.ts";
import type { Code, Found } from "./code.ts";
import { ANNOTATIONS, JAX_RS } from "./frameworks.ts";
import { holderOf } from "./inherited.ts";
import { joined } from "./prefixes.ts";

/** JAX-RS: where the classes with a path stand (`@ApplicationPath("/api")`), and those that a method with a path and no HTTP method gives. */
export function resourceMounts(code: Code): Found {
  const { source, texts } = code;
  if (!ANNOTATIONS["java"]!.some(({ router, imports }) => router === JAX_RS && imports.test(source))) return {};
  const pathOf = (one: Annotated | undefined, annotation = "Path"): string | undefined => {
    const node = one?.annotations.find(({ name }) => name === annotation)?.args[0]?.node;
    return node && (texts.one(node) ?? texts.hole(node));
  };
  const all = source.includes("@ApplicationPath") ? code.annotated.map((one) => pathOf(one, "ApplicationPath")).find((path) => path !== undefined) : undefined;
  const parts = code.annotated.flatMap((one): MountFact[] => {
    // `Class<Orders>` is what makes the object that answers.
    const type = one.node.childForFieldName("type")?.text.replace(/^Class<(?:\?\s*extends\s+)?/, "").replace(/[<>].*/s, "");
    const [path, outer] = [pathOf(one), pathOf(one.outer)];
    if (one.node.type !== "method_declaration" || type === undefined || type === "void" || path === undefined || one.annotations.some(({ name }) => /^[A-Z]+$/.test(name))) return [];
    const into = { names: [outer === undefined ? holderOf(one.node)?.name ?? "" : JAX_RS], line: 0 };
    return [{ prefix: joined(outer ?? "", path), target: targetOf(type), into }];
  });
  return { mounts: [...(all === undefined ? [] : [{ prefix: all, target: targetOf(JAX_RS) }]), ...parts] };
}

/** A target in all files, by the name of its router. */
function targetOf(name: string): MountFact["target"] {
  return { text: name, names: [name], line: 0, endLine: 0 };
}
