import { supertypes } from "../classes/supertypes.ts";

/** Types of .NET's library and what each inherits from directly, as far as methods take one or the other. */
export const SUPERTYPES = supertypes(`
ICollection IReadOnlyCollection IQueryable IGrouping ILookup: IEnumerable
IList IDictionary ISet: ICollection
IReadOnlyList IReadOnlyDictionary: IReadOnlyCollection
Collection List ReadOnlyCollection: IList IReadOnlyList
Dictionary: IDictionary IReadOnlyDictionary
HashSet SortedSet: ISet
Stack Queue: IReadOnlyCollection
Stream TextReader TextWriter BinaryReader BinaryWriter IEnumerator: IDisposable
TypeInfo: Type
Type FieldInfo PropertyInfo EventInfo MethodBase: MemberInfo
MethodInfo ConstructorInfo: MethodBase
Task: IAsyncResult
DbSet: IQueryable
WebApplicationBuilder HostApplicationBuilder: IHostApplicationBuilder
WebApplication: IHost IApplicationBuilder IEndpointRouteBuilder
RouteGroupBuilder: IEndpointRouteBuilder IEndpointConventionBuilder
ConfigurationManager: IConfiguration IConfigurationBuilder IConfigurationManager
`);
