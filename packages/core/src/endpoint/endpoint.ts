import type { JsonSchema, ProblemCode, ProblemKind, ProblemOptions, RequestBreach } from '../http/index.js';
import type { OperationError, RunContext, ThreadKind } from '../operation/index.js';
import type { Output } from '../report/reporter.js';
import type { RespondingEndpoint } from './responding-endpoint.js';
import type { Services } from './services.js';

/**
 * Something that callers can ask the program: one object from which the route of the server with its description, the tool, the call of a command to
 * a server and the work on a thread are made. Nothing else says what it takes or answers.
 */
export interface Endpoint<Input = object, Answer extends object = object, Setup = unknown> {
  /** `operationId` of the OpenAPI document, in camelCase, unique. */
  id: string;
  /** `GET`: the members of the input are the path parameters that the path names and query parameters. `POST`: the input is the body. */
  method: 'GET' | 'POST';
  /** In OpenAPI's form: `/api/v1/scores/{project}`. */
  path: string;
  /** Absent: for the holder of an API key. */
  auth?: 'open';
  tag: string;
  summary: string;
  description?: string;
  input: InputSchema<Input>;
  output: {
    /** In one sentence. */
    description: string;
    schema: JsonSchema;
    /** What the member `schema` of the answer says; absent if answers do not have that member. */
    form?: string;
  };
  /** Inputs that show what can be asked, each with an answer. The first is that of the reference. */
  examples?: readonly EndpointExample<Input>[];
  /** Media types that an HTTP client may prefer to JSON. */
  formats?: { readonly [mediaType: string]: AnswerFormat<Input> };
  /** What can be wrong with an input of the right form. */
  problems?: readonly EndpointProblem[];
  /** What the answer needs to know of the program. Where there is a thread, it is sent there. */
  setup?(services: SetupSource): Setup;
  /** What is wrong with an input of the right form, where no schema can say it. */
  check?(input: Input, context: RunContext): readonly RequestBreach[] | Promise<readonly RequestBreach[]>;
  /** @throws {BylawError} for input that cannot be used: one of `problems` */
  run?(input: Input, setup: Setup, context: RunContext): Answer | Promise<Answer>;
  /** In place of `run`: writes an answer that can be long, as JSON text. @throws {BylawError} as `run`, before it writes anything */
  write?(input: Input, setup: Setup, context: RunContext, out: Output): Promise<void>;
  /** Present: it runs on a thread, because it can take a while. */
  thread?: EndpointThread;
  /** Present: `bylaw mcp` offers it. */
  tool?: EndpointTool<Input>;
}

/** Any endpoint, whatever it takes and answers. */
export type AnyEndpoint = Endpoint | RespondingEndpoint;

/** What endpoints are set up from. */
export type SetupSource = Pick<Services, 'config' | 'paths'>;

export interface EndpointThread {
  /** The address (`compiledModule`) of the module that exports the endpoint. */
  readonly module: string;
  /** Absent: the threads shared by all endpoints without their own. */
  readonly kind?: ThreadKind;
}

export interface EndpointExample<Input> {
  /** A few words. */
  summary: string;
  input: Input;
}

export interface EndpointTool<Input = object> {
  /** Snake case, unique over all plugins. */
  name: string;
  /** For the model that chooses a tool: what it answers and when to use it. */
  description: string;
  /** Absent: the input of the endpoint. */
  arguments?: {
    schema: JsonSchema;
    /** Arguments have passed the schema. */
    toInput(args: { readonly [name: string]: unknown }): Input;
  };
}

/** An answer as text, which the endpoint gives as the member `content` beside `content_type`. */
export interface AnswerFormat<Input> {
  schema: JsonSchema;
  /** Members of the input that this media type sets. */
  sets: Partial<Input>;
}

/** An error of the input, and the problem that it is over HTTP. */
export interface EndpointProblem {
  /** Code of the BylawError. */
  error: string;
  problem: ProblemCode | ProblemKind;
  /** What the problem says in addition, in our own words; nothing by default. */
  say?: (error: OperationError) => ProblemOptions;
}

/** The hint as the detail: for errors whose hint contains only what the program itself knows. */
export const sayHint = ({ hint }: OperationError): ProblemOptions => (hint === undefined ? {} : { detail: hint });

/** A JSON Schema of an object, with the type of what passes it. Both have the same members. */
export interface InputSchema<Input> extends JsonSchema {
  readonly properties: { readonly [Member in keyof Required<Input>]: JsonSchema };
  readonly required?: readonly string[];
}

/** One that answers with a value. */
type Runnable<Input, Answer extends object, Setup> = Endpoint<Input, Answer, Setup> & Required<Pick<Endpoint<Input, Answer, Setup>, 'run'>>;

/** Types an endpoint by its input, its answer and its setup; or one that answers HTTP itself. */
export function defineEndpoint(endpoint: RespondingEndpoint): RespondingEndpoint;
export function defineEndpoint<Input, Answer extends object, Setup = undefined>(
  endpoint: Runnable<Input, Answer, Setup>,
): Runnable<Input, Answer, Setup>;
export function defineEndpoint<Input, Answer extends object, Setup = undefined>(
  endpoint: Endpoint<Input, Answer, Setup>,
): Endpoint<Input, Answer, Setup>;
export function defineEndpoint<Input, Answer extends object, Setup>(
  endpoint: RespondingEndpoint | Endpoint<Input, Answer, Setup>,
): RespondingEndpoint | Endpoint<Input, Answer, Setup> {
  return endpoint;
}

/** The compiled file of a module, also where the sources are run by a test runner. @param module its `import.meta.url` */
export function compiledModule(module: string): string {
  return module.replace(/\/src\/(?!.*\/src\/)/, '/dist/').replace(/\.ts$/, '.js');
}
