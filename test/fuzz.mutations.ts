/** Changes of valid requests: wrong kinds, bounds, texts that programs are known to misread, and other people's IDs. */
import type { Random } from '#kernel/random'

/** What a program easily misreads. As functions, so that the large ones are made only where they are used. */
const odd: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => -0,
  () => 2 ** 31,
  () => 2 ** 53,
  () => -(2 ** 63),
  () => 1e308,
  () => 5e-324,
  () => '',
  () => ' ',
  () => '0',
  () => '\u0000',
  () => 'a\u0000b',
  () => '\ud83d',
  () => 'x\udc00y',
  () => '\u202e\ufeff\u200b',
  () => 'x'.repeat(201),
  () => 'é'.repeat(10_001),
  () => '__proto__',
  () => 'constructor',
  () => 'f'.repeat(24),
  () => 'F'.repeat(24),
  () => '0000-00-00',
  () => '2026-02-30T25:61:00Z',
  () => '9999-12-31T23:59:59.999999Z',
  () => '0001-01-01T00:00:00Z',
  () => '-271821-04-20T00:00:00Z',
  () => '2026-03-01T09:30:00+99:99',
  () => "'; DROP TABLE users; --",
  () => '%s%n{{2}}',
  () => '=1+1',
  () => '../../etc/passwd',
  () => [],
  () => [[]],
  () => [null],
  () => Array.from({ length: 200 }, (_, n) => n),
  () => ({}),
  () => ({ value: null }),
  () => nested(60),
  () => JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": 1}'),
]

/** Lists within lists. */
function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 ? { a: value } : [value]
  return value
}

/** Bodies that are not an object, or not JSON. */
const bodies: readonly string[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"name": 1e999}',
  '{"name": "a", "name": "b"}',
  '{"name": "\\ud800"}',
  `${'['.repeat(100_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '\ufeff{}',
]

type Container = Record<string, unknown> | unknown[]
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** Every object and list within a value, the value itself first. */
function containersIn(value: unknown, found: Container[] = []): Container[] {
  if (!isContainer(value) || found.length > 200) return found
  found.push(value)
  for (const inner of Object.values(value)) containersIn(inner, found)
  return found
}

/** Defines rather than assigns: a key may be `__proto__`. */
const put = (into: Container, key: string, value: unknown) =>
  Object.defineProperty(into, key, { value, configurable: true, enumerable: true, writable: true })

/** Functions that change a request at random. @param anyId an ID of anything, of other teams too */
export function mutations({ whole, chance, pick }: Random, anyId: () => string) {
  /** An odd value, or an ID of something else. */
  const oddValue = (): unknown => (chance(0.15) ? anyId() : pick(odd)())

  /** A value near this one: one more, one less, longer, twice. */
  function nearby(value: unknown): unknown {
    if (typeof value === 'number') return pick([value + 1, value - 1, -value, value * 1e6, value + 0.1, `${value}`])
    if (typeof value === 'string')
      return pick([
        `${value}${value}`,
        value.slice(1),
        value.toUpperCase(),
        `${value}\u0000`,
        `${value}\ud800`,
        [value],
        Number(value),
      ])
    if (Array.isArray(value)) return pick<unknown>([[...value, ...value], value.slice(1), { ...value }, value[0]])
    return pick<unknown>([[value], `${value}`])
  }

  /** Changes one place of a body, in place. */
  function mutateBody(body: unknown): void {
    const containers = containersIn(body)
    const at = pick(containers)
    const keys = Object.keys(at)
    if (!keys.length || chance(0.1)) {
      put(
        at,
        Array.isArray(at) ? `${at.length}` : pick(['thereIsNoSuchField', '__proto__', 'constructor', '', 'name']),
        oddValue(),
      )
      return
    }
    const key = pick(keys)
    const value = (at as Record<string, unknown>)[key]
    if (chance(0.15) && !Array.isArray(at)) delete at[key]
    else put(at, key, chance(0.35) ? nearby(value) : oddValue())
  }
  return {
    mutateBody,
    /** A body that is not an object, as text. */
    rawBody: () => pick(bodies),
    /** A value of the query string, URL-encoded or wrongly so. */
    queryText: () =>
      pick([
        '',
        '%',
        '%00',
        '%ff',
        '%F0%9F',
        '%ED%A0%80',
        '-1',
        '1e9',
        '0x10',
        '99999999999999999999',
        'null',
        '%5B%5D',
        'true',
        'x'.repeat(5_000),
        encodeURIComponent(anyId()),
      ]),
    /** A part of the path. */
    pathText: () =>
      chance(0.5)
        ? anyId()
        : pick([
            '%00',
            '%ED%A0%80',
            '%',
            '..',
            '%2e%2e',
            '%2F',
            '0',
            '-1',
            'constructor',
            'F'.repeat(24),
            'f'.repeat(24),
            'x'.repeat(3_000),
            `${whole(0, 9)}::${whole(-1, 9)}`,
          ]),
  }
}
