/** What C#'s library does with functions as values. */

/** Methods that put their arguments into a list or a table. */
export const FILLS = /^(?:Add(?:Range|First|Last|OrUpdate)?|TryAdd|GetOrAdd|Insert|Enqueue|Push|TryUpdate)$/;
/** Those of them that put there what the functions give that they are given. */
export const COMPUTES = /^(?:GetOrAdd|AddOrUpdate)$/;
/** Methods that give what the functions give that they are given, alone or in something. */
export const GIVES = /^(?:Select|Run|ContinueWith)$/;
/** Methods that give what they are given, alone or in something. */
export const PASSES = /^(?:Combine|Create(?:Range)?|GetValueOrDefault|Append|Prepend|Concat|Exchange|CompareExchange)$/;
/** Methods that hand a request, an event or a message to whatever handles it: MediatR, MassTransit, NServiceBus, Wolverine. */
export const SENDS = /^(?:(?:Send|Publish|Dispatch|Raise|Execute|Query|Enqueue)(?:Async|Event|Command|Message|Local)?|CreateStream|GetResponse|InvokeAsync|Schedule(?:Async)?)$/;
/** Methods that put what is in a list or a table into a variable. */
export const TAKES = /^Try(?:GetValue|GetTarget|Dequeue|Peek|Pop|Read|Remove|Take)$/;
/** Properties that give what is in a list or a table. */
export const PARTS = /^(?:Values?|Key|Current|Item\d|Result|Target)$/;

/** A type of the library whose values are functions. */
export function isFunction(type: string): boolean {
  return /^(?:Predicate|Comparison|Converter)$|(?:Action|Callback|Delegate|Func|Handler)$/.test(type);
}

/** Whether a method of such a type, or of one that is not known, runs the function. */
export function runs(_type: string, method: string): boolean {
  return /^(?:Begin|Dynamic)?Invoke$/.test(method);
}

/** Methods of interfaces of the library, which a class implements without saying so. */
export const IMPLEMENTED: ReadonlyMap<string, ReadonlySet<string>> = new Map(Object.entries({
  IComparer: "Compare", IEnumerator: "MoveNext Reset", IObserver: "OnNext OnError OnCompleted", IObservable: "Subscribe", IProgress: "Report",
  ICommand: "Execute CanExecute", IFormatProvider: "GetFormat", ICustomFormatter: "Format", IServiceProvider: "GetService", IXmlSerializable: "ReadXml WriteXml",
  ISerializable: "GetObjectData", IValueConverter: "Convert ConvertBack", IMultiValueConverter: "Convert ConvertBack", ILogger: "Log IsEnabled BeginScope", ILoggerProvider: "CreateLogger",
  IHostedService: "StartAsync StopAsync", IMiddleware: "InvokeAsync", IStartupFilter: "Configure", IExceptionHandler: "TryHandleAsync", IAuthorizationHandler: "HandleAsync",
  IActionFilter: "OnActionExecuting OnActionExecuted", IAsyncActionFilter: "OnActionExecutionAsync", IExceptionFilter: "OnException", IAsyncExceptionFilter: "OnExceptionAsync",
  IResultFilter: "OnResultExecuting OnResultExecuted", IAuthorizationFilter: "OnAuthorization", IAsyncAuthorizationFilter: "OnAuthorizationAsync",
  IModelBinder: "BindModelAsync", IModelBinderProvider: "GetBinder", IRouteConstraint: "Match", IHealthCheck: "CheckHealthAsync", IMessageFilter: "PreFilterMessage",
  IEntityTypeConfiguration: "Configure", IPipelineBehavior: "Handle", IEndpointFilter: "InvokeAsync",
}).map(([type, names]) => [type, new Set(names.split(" "))]));
