import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MAX_COLOURS = 256;
/** Colours nearer to one of the palette than this (a sum of squares) get no entry of their own, as long as others need it. */
const NEAR = 60;
/** Colour types of PNG, with their bytes for each pixel. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };
const INDEXED = 3;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** A number for each pixel: red, green and blue, eight bits each. */
  readonly colours: Uint32Array;
}

/** The picture of a screen with a palette of 256 colours: text on plain grounds then needs about a third of the bytes. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, colours } = readPixels(png);
  const palette = choosePalette(colours);
  const indexOf = nearestIn(palette);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf(colours[y * width + x] ?? 0);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, INDEXED, 0, 0, 0], 8);
  const entries = Buffer.from(palette.flatMap((colour) => [...partsOf(colour)]));
  const packed = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', entries),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Reads a PNG with eight bits a channel and without interlacing, as browsers write it (https://www.w3.org/TR/png-3/). */
function readPixels(png: Buffer): Pixels {
  const [width, height, type = 0] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
  const size = CHANNELS[type];
  if (!png.subarray(0, 8).equals(SIGNATURE) || png[24] !== 8 || size === undefined || png[28] !== 0)
    throw new Error('this is no PNG of a browser');
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * size;
  const lines = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < size ? 0 : (lines[at - size] ?? 0);
      const up = y === 0 ? 0 : (lines[at - stride] ?? 0);
      const corner = x < size || y === 0 ? 0 : (lines[at - stride - size] ?? 0);
      lines[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  const colours = new Uint32Array(width * height);
  for (let n = 0; n < colours.length; n++) colours[n] = lines.readUIntBE(n * size, 3);
  return { width, height, colours };
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The most frequent colours that differ from each other, and then the most frequent of the others. */
function choosePalette(colours: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const chosen: number[] = [];
  for (const colour of byCount)
    if (chosen.length < MAX_COLOURS && chosen.every((other) => distance(colour, other) >= NEAR)) chosen.push(colour);
  const known = new Set(chosen);
  return [...chosen, ...byCount.filter((colour) => !known.has(colour))].slice(0, MAX_COLOURS);
}

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((colour, index) => [colour, index]));
  return (colour) => {
    const found = known.get(colour);
    if (found !== undefined) return found;
    let best = 0;
    for (let n = 1; n < palette.length; n++)
      if (distance(colour, palette[n] ?? 0) < distance(colour, palette[best] ?? 0)) best = n;
    known.set(colour, best);
    return best;
  };
}

const partsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;

function distance(one: number, other: number): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}
