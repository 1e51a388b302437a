import type { EntryKind } from "../../facts.ts";
import type { TypeFact } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";

const TESTS = new Set([
  "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate",
  "Before", "After", "BeforeEach", "AfterEach", "BeforeAll", "AfterAll", "BeforeClass", "AfterClass",
]);
/** Spring and JAX-RS; Micronaut and Quarkus use their names. */
const ROUTES = new Set([
  "RequestMapping", "GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping", "MessageMapping",
  "QueryMapping", "MutationMapping", "SubscriptionMapping", "GET", "POST", "PUT", "DELETE", "PATCH", "Path", "Get", "Post", "Put", "Delete", "Patch",
]);
const HANDLERS = new Set([
  "EventListener", "TransactionalEventListener", "KafkaListener", "RabbitListener", "JmsListener", "SqsListener", "StreamListener", "Incoming",
  "Scheduled", "PostConstruct", "PreDestroy", "Bean", "Subscribe", "EventHandler", "ExceptionHandler", "OnOpen", "OnMessage", "OnClose",
]);
const SERVLET = new Set(["doGet", "doPost", "doPut", "doDelete", "doHead", "doOptions"]);

/** Methods that frameworks and the library call, by what their class implements or extends. */
const CALLED = new Map([
  ["run", /^(?:CommandLineRunner|ApplicationRunner|Runnable|Thread)$/], ["call", /^Callable$/], ["execute", /^(?:Job|Tasklet)$/],
  ["onApplicationEvent", /^ApplicationListener$/], ["doFilter", /^(?:Http)?Filter$/], ["doFilterInternal", /^OncePerRequestFilter$/],
  ["filter", /^(?:WebFilter|ContainerRequestFilter|ContainerResponseFilter)$/], ["preHandle", /^(?:Async)?HandlerInterceptor$/],
  ["channelRead", /^ChannelInboundHandlerAdapter$/], ["handle", /^(?:HttpHandler|Handler)$/], ["handleRequest", /^Request(?:Stream)?Handler$/],
]);

/** Why control may enter at a method, if it may. */
export function entryOf(u: Unit, node: number, name: string, modifiers: number, type: TypeFact): EntryKind | undefined {
  const { syntax } = u;
  const list = syntax.part(node, "parameters");
  const count = list ? syntax.children(list).length : 0;
  if (modifiers) {
    for (const child of syntax.children(modifiers)) {
      if (!/annotation$/.test(syntax.kind(child))) continue;
      const annotation = syntax.text(syntax.part(child, "name") || child);
      const simple = annotation.slice(annotation.lastIndexOf(".") + 1);
      if (TESTS.has(simple)) return "test";
      if (ROUTES.has(simple)) return "route";
      if (HANDLERS.has(simple)) return "handler";
    }
    if (name === "main" && count <= 1 && syntax.child(modifiers, "static")) return "main";
  }
  if (SERVLET.has(name) && count === 2) return "handler";
  const called = CALLED.get(name);
  return called && u.superNames(type).some((base) => called.test(base)) ? "handler" : undefined;
}
