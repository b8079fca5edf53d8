import { sha256 } from '#kernel/id'
import { canonicalJson } from '#kernel/json'

/** The hash by which versions are compared: SHA-256 of the canonical JSON. */
export const hashOf = (snapshot: unknown): string => sha256(canonicalJson(snapshot))
