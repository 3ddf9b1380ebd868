// Generated from schemas/*.schema.json by `npm run generate`. Do not edit.
// Placeholder until the schemas are written.
export interface Settings { readonly [k: string]: unknown }
export interface Api { readonly id: string; readonly provider: string }
export interface Account { readonly id: string }
export interface Filter { readonly id: string }
export interface Director { readonly id: string }
export interface Agent { readonly id: string }
export interface Prompt { readonly id: string }
