import type { Node } from "web-tree-sitter";
import type { NamedCode } from "../../facts.ts";
import type { Grammar } from "./calls.ts";
import { codeOf } from "./known-routers.ts";

const VERB = /^Http(Get|Post|Put|Delete|Patch|Head|Options)$/;

/** An action that the default route of an application leads to, `{controller}/{action}`. */
export interface Action {
  name: string;
  /** The name of the method. */
  method: Node;
  before: NamedCode[];
}

/** ASP.NET MVC: public methods of controllers, as far as no attribute gives the class or the method a path of its own. */
export function actionsByName(root: Node, grammar: Grammar): Action[] {
  return root.descendantsOfType("class_declaration").flatMap((cls) => {
    const [, controller] = /^(\w+)Controller$/.exec(cls.childForFieldName("name")?.text ?? "") ?? [];
    const marks = attributesOf(cls);
    const isView = cls.namedChildren.some((child) => child.type === "base_list" && /\b\w*Controller\b/.test(child.text.replace("ControllerBase", "")));
    if (controller === undefined || !isView || marks.some(({ name }) => name === "ApiController")) return [];
    // `[Route("[controller]/[action]")]`
    const template = marks.find(({ name }) => name === "Route");
    const [, path] = template ? /"([^"]*\[action\][^"]*)"/.exec(template.node.text) ?? [] : [];
    if (template && path === undefined) return [];
    const area = marks.find(({ name }) => name === "Area");
    const prefix = area ? `/${/"([^"]*)"/.exec(area.node.text)?.[1] ?? "…"}/${controller}` : `/${controller}`;
    return (cls.childForFieldName("body")?.namedChildren ?? []).filter(isPublicMethod).flatMap((node) => {
      const name = node.childForFieldName("name")!;
      const own = attributesOf(node);
      if (own.some((mark) => /^(?:Route|NonAction|AcceptVerbs|ActionName)$/.test(mark.name) || (VERB.test(mark.name) && mark.node.text.includes("\"")))) return [];
      const verbs = own.flatMap((mark) => VERB.exec(mark.name)?.[1]?.toUpperCase() ?? []);
      const before = [...marks, ...own].filter((mark) => mark.name === "Authorize").map((mark) => ({ ...codeOf(mark.node, grammar), text: mark.name }));
      // Those with a verb have their routes by their attributes.
      if (path !== undefined) return verbs.length > 0 ? [] : [{ name: `ANY /${path.replace("[controller]", controller).replace("[action]", name.text)}`, method: name, before }];
      return (verbs.length > 0 ? verbs : ["ANY"]).map((verb) => ({ name: `${verb} ${prefix}/${name.text}`, method: name, before }));
    });
  });
}

function isPublicMethod(node: Node): boolean {
  const modifiers = node.namedChildren.filter(({ type }) => type === "modifier").map(({ text }) => text);
  return node.type === "method_declaration" && modifiers.includes("public") && !modifiers.includes("static") && !modifiers.includes("override");
}

function attributesOf(node: Node): { name: string; node: Node }[] {
  return node.namedChildren.filter(({ type }) => type === "attribute_list").flatMap((list) => list.namedChildren.filter(({ type }) => type === "attribute"))
    .map((attribute) => ({ name: (attribute.childForFieldName("name")?.text ?? "").replace(/Attribute$/, ""), node: attribute }));
}
