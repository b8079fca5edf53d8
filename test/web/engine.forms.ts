/** Random forms and answers, the same for the same seed in every engine: `engine.test.ts` runs this in Bun and in Chromium. */
import { compileForm, type FormStage, fillForm, loadMatcher, type SentAnswer } from '#web/form/engine/engine'

type Types = Parameters<typeof compileForm>[1]
type Type = Types extends ReadonlyMap<string, infer T> ? T : never

/** Numbers from 0 to 1 that look random (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const ZONES = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC']
const TEXTS = ['', ' ', 'abc', '12', 'Zürich 😀', '\ud800', 'ﬁ', 'a'.repeat(300), 'مرحبا', 'İ']
const MOMENTS = [
  '2026-03-29T01:30:00.000000Z',
  '2026-10-25T00:30:00.000000Z',
  '1890-01-01T00:00:00.000000Z',
  '2026-02-30',
  'x',
]
const NUMBERS = [0, -0, 1, 0.1, 0.30000000000000004, 1e21, 1e-7, -5, 99.95, 2 ** 53]

/** A form of a few fields, and what is sent for each. */
function randomCase(random: () => number) {
  const below = (most: number) => Math.floor(random() * most)
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T => list[below(list.length)] as T
  const codes = Array.from({ length: 3 + below(10) }, (_, at) => `f${at}`)
  const operand = (depth: number): string => {
    if (depth > 2 || random() < 0.4) return pick([...codes, '2', '0.1', '7.25', 'today()'])
    const [a, b] = [operand(depth + 1), operand(depth + 1)]
    return pick([
      `(${a} + ${b})`,
      `(${a} / ${b})`,
      `(${a} * ${b} - 1)`,
      `round(${a}, 2)`,
      `(${a} ^ 2)`,
      `(${a} > ${b} ? ${a} : ${b})`,
      `min(${a}, ${b})`,
    ])
  }
  const options = ['No', 'Some', 'Much'].map((label, code) => ({ label, code }))
  const kinds: (() => Type)[] = [
    () => ({ format: 'float', min: pick([null, 0, -10]), max: pick([null, 10, 100]), decimals: pick([null, 0, 1]) }),
    () => ({ format: 'text', maxLength: pick([null, 5]), pattern: pick([null, null, '[a-z]+', '\\d{2}']) }),
    () => ({ format: 'choice', options, multiple: random() < 0.5 }),
    () => ({ format: 'date', allowFuture: pick([null, false]), allowPast: pick([null, false]) }),
    () => ({ format: 'bmi', minHeight: 50, maxHeight: 250 }),
    () => ({ format: 'calculation', expression: operand(0) }),
  ]
  const types = new Map(codes.map((code): [string, Type] => [code, { ...pick(kinds)(), code }]))
  const components: FormStage['components'][number][] = codes.map((code, at) => ({
    id: code,
    dataType: code,
    title: `Question ${at}`,
    isRequired: random() < 0.5,
    ...(at && random() < 0.3
      ? {
          condition: {
            dataType: pick(codes),
            operator: pick(['exists', 'equal', 'more', 'less'] as const),
            value: pick([0, 1, 'No', '']),
          },
        }
      : {}),
    ...(random() < 0.2 ? { constraint: { expression: `${operand(1)} > ${operand(1)}`, isSoft: random() < 0.3 } } : {}),
    ...(random() < 0.3
      ? { scoringRules: [{ id: 'r', points: pick(NUMBERS), operator: pick(['exists', 'more'] as const), value: 1 }] }
      : {}),
  }))
  const value = (): unknown =>
    pick<() => unknown>([
      () => pick(NUMBERS),
      () => pick(TEXTS),
      () => pick(MOMENTS),
      () => [pick(['No', 'Some', 'Much', 'Never'])],
      () => ({ height: pick(NUMBERS), weight: 70.5 }),
      () => null,
    ])()
  const sent = (): Record<string, SentAnswer> =>
    Object.fromEntries(codes.flatMap((code) => (random() < 0.7 ? [[code, { value: value() }]] : [])))
  const at = { now: 1_772_452_800_000_000 + below(31_536_000) * 1_000_000, zone: pick(ZONES) }
  return { stage: { components, allowIncompleteSubmission: random() < 0.3 }, types, first: sent(), sent: sent(), at }
}

/** What the engine makes of that many random forms, as one text a form. */
export async function randomResults(seed: number, forms: number): Promise<string[]> {
  await loadMatcher()
  const random = randomNumbers(seed)
  return Array.from({ length: forms }, () => {
    const { stage, types, first, sent, at } = randomCase(random)
    const form = compileForm(stage, types)
    // What is stored was accepted before.
    const { values } = fillForm(form, {}, first, at)
    return JSON.stringify(fillForm(form, values, sent, at))
  })
}
