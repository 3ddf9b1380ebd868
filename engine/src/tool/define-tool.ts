import type { ParameterSchema, ValueOf } from './parameters.ts';
import type { LocalTool, Tool, ToolPreview, WorldTool } from './tool.ts';

/** A local tool whose arguments have the type of its parameters. */
export interface LocalToolOf<TSchema> extends Omit<LocalTool, 'parameters' | 'run'> {
  readonly parameters: TSchema;
  run(args: ValueOf<TSchema>, ...rest: RestOf<LocalTool['run']>): Promise<unknown>;
}

/** A tool that leaves our store, whose arguments have the type of its parameters. */
export interface WorldToolOf<TSchema> extends Omit<
  WorldTool,
  | 'parameters'
  | 'run'
  | 'check'
  | 'files'
  | 'checkScope'
  | 'actualArguments'
  | 'preview'
  | 'binding'
  | 'warnings'
  | 'reconcile'
> {
  readonly parameters: TSchema;
  run(args: ValueOf<TSchema>, ...rest: RestOf<WorldTool['run']>): Promise<unknown>;
  check?(args: ValueOf<TSchema>, ...rest: RestOf<NonNullable<WorldTool['check']>>): Promise<void>;
  checkScope?(args: ValueOf<TSchema>, ...rest: RestOf<NonNullable<WorldTool['checkScope']>>): Promise<void>;
  actualArguments?(
    args: ValueOf<TSchema>,
    ...rest: RestOf<NonNullable<WorldTool['actualArguments']>>
  ): Promise<object | undefined>;
  preview?(
    args: ValueOf<TSchema>,
    ...rest: RestOf<NonNullable<WorldTool['preview']>>
  ): Promise<ToolPreview | undefined>;
  binding?(args: ValueOf<TSchema>, ...rest: RestOf<NonNullable<WorldTool['binding']>>): Promise<unknown>;
  files?(
    args: ValueOf<TSchema>,
    ...rest: RestOf<NonNullable<WorldTool['files']>>
  ): ReturnType<NonNullable<WorldTool['files']>>;
  warnings?(args: ValueOf<TSchema>): Promise<readonly string[]>;
  reconcile?(args: ValueOf<TSchema>, ...rest: RestOf<NonNullable<WorldTool['reconcile']>>): Promise<unknown>;
}

type RestOf<TFunction> = TFunction extends (first: never, ...rest: infer TRest) => unknown ? TRest : never;

/**
 * Gives the functions of a tool the types of its parameters. The types are safe because `ArgumentChecker` validates each call
 * against the same schema before a function of the tool runs.
 */
export function defineTool<const TSchema extends ParameterSchema>(tool: LocalToolOf<TSchema>): LocalTool;
export function defineTool<const TSchema extends ParameterSchema>(tool: WorldToolOf<TSchema>): WorldTool;
export function defineTool(tool: Tool): Tool {
  return tool;
}
