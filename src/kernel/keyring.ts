/**
 * The versions of a secret: what is made now is made with the current one, and what was made with an earlier one is still read
 * (docs/security.md, "Keys of the server").
 */
import type { Instant } from './time'

export type Secret = Uint8Array | string

/** `version` counts the keys of a directory from 1. `until`: when another one became the current key, if it is known. */
export type Key = Readonly<{ version: number; secret: Secret; until?: Instant | null }>

/** A secret alone is the first version. Of several, the current one comes first. */
export type Keys = Secret | readonly [Key, ...Key[]]

export const keysIn = (keys: Keys): readonly [Key, ...Key[]] =>
  typeof keys === 'string' || keys instanceof Uint8Array ? [{ version: 1, secret: keys }] : keys

/** The same for keys that follow from these. */
export const mapKeys = (keys: Keys, follow: (secret: Secret) => Secret): readonly [Key, ...Key[]] => {
  const derived = ({ secret, version, until = null }: Key): Key => ({ version, until, secret: follow(secret) })
  const [current, ...earlier] = keysIn(keys)
  return [derived(current), ...earlier.map(derived)]
}

/** What stands before a text that was made with this version of a key: nothing with the first, as no other was known then. */
export const markOf = ({ version }: Pick<Key, 'version'>): string => (version === 1 ? '' : `${version}.`)

const MARK = /^([1-9]\d{0,8})\./

/** The version that the mark of a text names. */
export const versionOf = (text: string): number => Number(MARK.exec(text)?.[1] ?? 1)

/** The text without its mark. */
export const withoutMark = (text: string): string => text.replace(MARK, '')

/** The key that the mark of a text names; undefined if it is not there, or not any more. */
export const keyOf = <K extends Pick<Key, 'version'>>(keys: readonly K[], text: string): K | undefined =>
  keys.find(({ version }) => version === versionOf(text))
