import type { DocumentOf, Kind } from './config.ts';

/** A document with its kind; a union, so that a look at `kind` tells the type of `value`. */
export type Typed = { [K in Kind]: { readonly kind: K; readonly value: DocumentOf[K] } }[Kind];
