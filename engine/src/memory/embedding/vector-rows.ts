import type { Change, Reader, Row } from '../../store/store.ts';
import { bodyOf } from '../../store/damaged-row.ts';

/** The embedding model in use, and the number of components of its vectors. */
export interface CurrentModel {
  readonly name: string;
  readonly dimension: number;
}

type Versions = readonly Pick<Row<'memory'>, 'id' | 'revision'>[];

const META = 'embeddingModel';

/** The model that the newest vectors are of; undefined before the first one. */
export async function storedModel(reader: Reader): Promise<CurrentModel | undefined> {
  const row = await reader.get('meta', { name: META });
  return row && bodyOf<CurrentModel>('meta', row);
}

/** The change that notes the model of the newest vectors. */
export function modelChange(model: CurrentModel): Change {
  return { op: 'put', table: 'meta', row: { name: META, body: JSON.stringify(model) } };
}

/** Ids of the memories that have a vector of this model for their revision. */
export async function vectorIds(reader: Reader, model: CurrentModel, memories: Versions): Promise<Set<string>> {
  const rows = await currentRows(reader, model, memories, false);
  return new Set(rows.map(({ memory }) => memory));
}

/** The vectors of this model for the revisions of memories, by id of the memory. */
export async function listVectors(
  reader: Reader,
  model: CurrentModel,
  memories: Versions,
): Promise<Map<string, Float32Array>> {
  const rows = await currentRows(reader, model, memories, undefined);
  const size = model.dimension * Float32Array.BYTES_PER_ELEMENT;
  return new Map(
    rows
      .filter(({ body }) => body.byteLength === size)
      .map(({ memory, body }) => [memory, new Float32Array(Uint8Array.from(body).buffer)]),
  );
}

/** The change that stores the vector of a revision of a memory. A memory has one vector: that of the newest model. */
export function vectorChange(memory: string, revision: number, model: CurrentModel, vector: Float32Array): Change {
  const { name, dimension } = model;
  const body = new Uint8Array(Float32Array.from(vector).buffer);
  return { op: 'put', table: 'memoryVector', row: { memory, model: name, dimension, revision, body } };
}

async function currentRows(
  reader: Reader,
  { name, dimension }: CurrentModel,
  memories: Versions,
  bodies: false | undefined,
): Promise<Row<'memoryVector'>[]> {
  if (memories.length === 0) return [];
  const revisions = new Map(memories.map(({ id, revision }) => [id, revision]));
  const rows = await reader.list('memoryVector', {
    where: [
      ['memory', 'in', [...revisions.keys()]],
      ['model', '=', name],
      ['dimension', '=', dimension],
    ],
    ...(bodies === false && { bodies }),
    // A memory with a damaged vector is embedded again.
    onDamaged: () => {},
  });
  return rows.filter(({ memory, revision }) => revisions.get(memory) === revision);
}
