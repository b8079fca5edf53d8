/**
 * Short forms for the examples of the built-in questionnaires. A Likert's answers are in the order of its statements, a
 * choice's is the code of its option.
 */
type Answer = number | string | Record<string, unknown> | (number | null | Record<string, unknown>)[]
export type Example = {
  answers: Record<string, Answer>
  /** The stage's score; absent if it has none. */
  score?: number
  /** By code; null for no value. */
  values: Record<string, unknown>
}

/** The same answer to this many questions. */
export const all = (value: number, length: number): number[] => Array(length).fill(value)
/** Answers to q1, q2, … of a prefix. */
export const each = <Code extends Answer>(prefix: string, codes: readonly Code[]): Record<string, Code> =>
  Object.fromEntries(codes.map((code, index) => [`${prefix}_q${index + 1}`, code]))
/** Answers to the questions of a prefix that have these names, which spaces separate. */
const named = (prefix: string, names: string, codes: readonly Answer[]): Record<string, Answer> =>
  Object.fromEntries(names.split(' ').map((name, index) => [`${prefix}_${name}`, codes[index]!]))

/** Examples of a questionnaire that is one Likert with a total. */
export const sums = (code: string, ...cases: [(number | null)[], number][]): Example[] =>
  cases.map(([answers, total]) => ({
    answers: { [code]: answers },
    score: total,
    values: { [`${code}_total`]: total },
  }))

/** Examples of a questionnaire that is one question. */
export const grades = (code: string, ...codes: number[]): Example[] =>
  codes.map((grade) => ({ answers: { [code]: grade }, score: grade, values: { [`${code}_grade`]: grade } }))

/** The results are the total, clusters B to E, and whether the diagnosis is likely (1) or not (0). */
export const pcl5 = (answers: number[], [total, b, c, d, e, provisional]: number[]): Example => ({
  answers: { pcl5: answers },
  score: total,
  values: {
    pcl5_total: total,
    pcl5_intrusion: b,
    pcl5_avoidance: c,
    pcl5_mood: d,
    pcl5_arousal: e,
    pcl5_provisional: provisional,
  },
})

/** The results are the total, and those of consumption, dependence and harm. */
export const audit = (answers: Record<string, number>, [total, consumption, dependence, harm]: number[]): Example => ({
  answers,
  score: total,
  values: {
    audit_total: total,
    audit_consumption: consumption,
    audit_dependence: dependence,
    audit_harm: harm,
  },
})

export const spane = (answers: number[], [positive, negative, balance]: number[]): Example => ({
  answers: { spane: answers },
  score: balance,
  values: { spane_p: positive, spane_n: negative, spane_b: balance },
})

const symptoms = 'pain tired drowsy nausea appetite breath depressed anxious wellbeing'
export const esas = (answers: number[], total: number): Example => ({
  answers: named('esas', symptoms, answers),
  score: total,
  values: { esas_total: total },
})

const activities = 'feeding bathing grooming dressing bowels bladder toilet transfers mobility stairs'
export const barthel = (answers: number[], total: number): Example => ({
  answers: named('barthel', activities, answers),
  score: total,
  values: { barthel_total: total },
})

const items = '1a 1b 1c 2 3 4 5a 5b 6a 6b 7 8 9 10 11'
export const nihss = (answers: (number | string)[], total: number): Example => ({
  answers: named('nihss', items, answers),
  score: total,
  values: { nihss_total: total },
})

export const healthyDays = (physical: number, mental: number, unhealthy: number): Example => ({
  answers: { hrqol4_general: 3, hrqol4_physical: physical, hrqol4_mental: mental, hrqol4_activity: 0 },
  score: unhealthy,
  values: { hrqol4_unhealthy: unhealthy },
})

/** Answers to single questions by number, then those of the Likerts; the results are the scales. */
export const rand = (single: Record<number, number>, likerts: number[][], scales: number[]): Example => ({
  answers: {
    ...Object.fromEntries(Object.entries(single).map(([n, code]) => [`rand36_q${n}`, code])),
    ...named('rand36', 'pf rp re time true', likerts),
  },
  values: Object.fromEntries(
    'physical role_physical role_emotional energy wellbeing social pain general change'
      .split(' ')
      .map((scale, index) => [`rand36_${scale}`, scales[index]]),
  ),
})

/** What somebody did on a day: `h` hours and `m` minutes, on so many days of a week. */
type Activity = { days: number; h?: number; m?: number }
export const ipaq = (vig: Activity, mod: Activity, walk: Activity, values: Record<string, unknown>): Example => ({
  answers: Object.fromEntries(
    Object.entries({ vig, mod, walk }).flatMap(([kind, activity]) =>
      Object.entries(activity).map(([part, value]) => [`ipaq_${kind}_${part}`, value]),
    ),
  ),
  values,
})
