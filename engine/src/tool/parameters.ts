/** A JSON Schema of tool arguments: an object with the listed properties. */
export interface ParameterSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/**
 * The type of values that a JSON Schema accepts, for `type`, `enum`, `items`, `properties` and `required`. `unknown` for any
 * other schema.
 */
export type ValueOf<TSchema> = TSchema extends { readonly enum: readonly (infer TValue)[] }
  ? TValue
  : TSchema extends { readonly type: 'string' }
    ? string
    : TSchema extends { readonly type: 'integer' | 'number' }
      ? number
      : TSchema extends { readonly type: 'boolean' }
        ? boolean
        : TSchema extends { readonly type: 'array'; readonly items: infer TItem }
          ? readonly ValueOf<TItem>[]
          : TSchema extends { readonly type: 'object'; readonly properties: infer TProperties }
            ? ObjectOf<TProperties, RequiredIn<TSchema>>
            : unknown;

type RequiredIn<TSchema> = TSchema extends { readonly required: readonly (infer TName)[] } ? TName : never;

type ObjectOf<TProperties, TRequired> = {
  readonly [TName in keyof TProperties as TName extends TRequired ? TName : never]: ValueOf<TProperties[TName]>;
} & {
  readonly [TName in keyof TProperties as TName extends TRequired ? never : TName]?: ValueOf<TProperties[TName]>;
};

/** The parameters of a tool: an object with these properties and no others. Models see the keys in this order. */
export function parameters<
  const TProperties extends ParameterSchema['properties'],
  const TRequired extends readonly (keyof TProperties & string)[] = [],
>(properties: TProperties, required?: TRequired) {
  return { type: 'object', properties, required: required ?? [], additionalProperties: false } as const;
}

/** A parameter that is a day, such as 2026-11-25. */
export function dayParameter(description: string) {
  return {
    type: 'string',
    pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
    description,
  } as const;
}
