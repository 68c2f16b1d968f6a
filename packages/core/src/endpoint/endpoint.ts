import type { JsonSchema, ProblemCode, ProblemKind, ProblemOptions } from '../http/index.js';
import type { OperationError } from '../operation/index.js';
import type { Services } from './services.js';

/**
 * Something that callers can ask the program: one object from which the route of the server with its description, the tool, the call of a command to
 * a server and the work on a thread are made. Nothing else says what it takes or answers.
 */
export interface Endpoint<Input = object, Output extends object = object, Setup = unknown> {
  /** `operationId` of the OpenAPI document, in camelCase, unique. */
  id: string;
  /** `GET`: the members of the input are the path parameters that the path names and query parameters. `POST`: the input is the body. */
  method: 'GET' | 'POST';
  /** In OpenAPI's form: `/api/v1/scores/{project}`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  input: InputSchema<Input>;
  output: {
    /** In one sentence. */
    description: string;
    schema: JsonSchema;
    /** What the member `schema` of the answer says; absent where answers have none. */
    form?: string;
  };
  /** Media types that an HTTP client may prefer to JSON. */
  formats?: { readonly [mediaType: string]: AnswerFormat<Input> };
  /** What the input can have wrong with it besides its form. */
  problems?: readonly EndpointProblem[];
  /** What the answer needs to know of the program. Where there is a thread, it is sent there. */
  setup?(services: Services): Setup;
  /** @throws {BylawError} for input that cannot be used: one of `problems` */
  run(input: Input, setup: Setup): Output | Promise<Output>;
  /** Present: it runs on a thread, because it can take a while. The address (`compiledModule`) of the module that exports it. */
  thread?: { readonly module: string };
  /** Present: `bylaw mcp` offers it. */
  tool?: EndpointTool;
}

export interface EndpointTool {
  /** Snake case, unique over all plugins. */
  name: string;
  /** For the model that chooses a tool: what it answers and when to use it. */
  description: string;
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
  /** What is said besides, in our own words; nothing by default. */
  say?: (error: OperationError) => ProblemOptions;
}

/** A JSON Schema of an object, with the type of what passes it. Both have the same members. */
export interface InputSchema<Input> extends JsonSchema {
  readonly properties: { readonly [Member in keyof Required<Input>]: JsonSchema };
  readonly required?: readonly string[];
}

/** Types an endpoint by its input, its output and its setup. */
export function defineEndpoint<Input, Output extends object, Setup = undefined>(
  endpoint: Endpoint<Input, Output, Setup>,
): Endpoint<Input, Output, Setup> {
  return endpoint;
}

/** The compiled file of a module, also where the sources are run by a test runner. @param module its `import.meta.url` */
export function compiledModule(module: string): string {
  return module.replace(/\/src\/(?!.*\/src\/)/, '/dist/').replace(/\.ts$/, '.js');
}
