import type { ParameterSchema } from '../parameters.ts';

const NOTEBOOK = {
  notebook: { type: 'string', description: 'Name of the notebook. Needed only where several are open to you.' },
} as const;

/** The parameters of each tool that names a file. */
export const FILE = {
  ...NOTEBOOK,
  path: {
    type: 'string',
    minLength: 1,
    description: 'Path of the file from the root of the notebook, such as /notes/plan.md.',
  },
} as const;

/** The parameters of each tool that names a folder. */
export const FOLDER = {
  ...NOTEBOOK,
  path: { type: 'string', default: '/', description: 'Folder, from the root of the notebook. Default /, the root.' },
} as const;

/** Parameters for an actor to whom these notebooks are open: `notebook` is required where there are several. */
export function forNotebooks(schema: ParameterSchema): (names: readonly string[]) => object {
  return (names) => {
    const { notebook: _any, ...rest } = schema.properties;
    const several = names.length > 1;
    const description = several ? `Name of the notebook, one of: ${names.join(', ')}.` : `Always ${names[0] ?? ''}.`;
    return {
      ...schema,
      properties: { notebook: { type: 'string', description }, ...rest },
      required: [...(several ? ['notebook'] : []), ...(schema.required ?? [])],
    };
  };
}
