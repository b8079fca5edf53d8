/** The questionnaires and the other forms of the study, as bodies of requests. */
import gad7Data from '../../../data/demo/gad7.json' with { type: 'json' }
import phq9Data from '../../../data/demo/phq9.json' with { type: 'json' }

export type Instrument = typeof phq9Data
export const phq9: Instrument = phq9Data
export const gad7: Instrument = gad7Data

/** The score from which a participant is shown that the nurse will call. */
export const CALL_FROM = 15
export const CALL = 'Thank you. Your nurse will call you within one working day.'

/** The PHQ-9 score from which the team is notified at once. */
export const URGENT_FROM = 22
const URGENT = 'The score is very high: call the participant today.'

/** The text of the PHQ-9 reminder. `reminderAfter` sets how many hours after the opening it is sent. */
export const REMINDER = { title: 'This week’s questions', body: 'They are still open, and take five minutes.' }
export const reminderAfter = (hour: number) => [{ hour, ...REMINDER, sendVia: ['email', 'sms'] }]

/** The local time from which a GAD-7 that is not filled in on its day is behind schedule. */
export const CUTOFF_AT = '21:00:00'

/** The expected years of birth: the check of answers raises a query for others. */
export const BORN = { from: 1940, to: 2004 }
export const INSTRUCTIONS = `birth_year between ${BORN.from} and ${BORN.to}`

/** The hour at which a weekly form opens, and for how long it stays open. */
const OPENS_AT = '08:00:00'
const WINDOW_HOURS = 96

const choice = (name: string, code: string, labels: readonly string[]) => ({
  name,
  code,
  format: 'choice',
  options: labels.map((label) => ({ label })),
})

/** The data types of the study, in the order of its forms. */
export const dataTypes: readonly { code: string; [setting: string]: unknown }[] = [
  choice('Sex', 'sex', ['Female', 'Male', 'Intersex', 'Prefer not to say']),
  { name: 'Year of birth', code: 'birth_year', format: 'integer', min: 1920, max: 2010 },
  { name: 'Postcode', code: 'postcode', format: 'text', maxLength: 10, isPii: true },
  {
    name: 'Height and weight',
    code: 'body',
    format: 'bmi',
    minHeight: 100,
    maxHeight: 230,
    minWeight: 25,
    maxWeight: 300,
  },
  ...[phq9, gad7].flatMap(({ code, title, name, scale, statements }) => [
    { name, code, format: 'likert', scale, statements },
    { name: `${title} total`, code: `${code}_total`, format: 'calculation', expression: `sum(${code})`, decimals: 0 },
  ]),
  { name: 'What happened', code: 'ae_term', format: 'text', minLength: 3, maxLength: 200 },
  choice('How severe', 'ae_severity', ['Mild', 'Moderate', 'Severe']),
  choice('Was it serious', 'ae_serious', ['Yes', 'No']),
  { name: 'Why it was serious', code: 'ae_reason', format: 'paragraph', maxLength: 2000 },
]

/** The `_id` of a data type by its code. */
type Ids = (code: string) => string

/** What staff ask at the first visit. Participants do not see it, and it does not count for their progress. */
export const enrolment = (id: Ids) => ({
  name: 'Enrolment visit',
  enabled: false,
  components: [
    { id: 'about', type: 'title', title: 'About the participant' },
    ...['sex', 'birth_year', 'postcode', 'body'].map((code) => ({
      id: code,
      dataType: id(code),
      title: dataTypes.find((each) => each.code === code)!.name,
      isRequired: true,
    })),
  ],
})

/** A questionnaire every week, from the day of enrolment. @param more further settings */
export const weekly = (
  { title, code, lead, scale }: Instrument,
  id: Ids,
  weeks: number,
  anchor: string,
  more: Record<string, unknown>,
) => ({
  name: `${title}, week %n`,
  components: [
    {
      id: code,
      dataType: id(code),
      title: lead,
      isRequired: true,
      scoringRules: scale
        .filter(({ value }) => value > 0)
        .map(({ value }) => ({ id: `points-${value}`, operator: 'equal', value, points: value })),
    },
    { id: `${code}_total`, dataType: id(`${code}_total`), title: 'Total' },
  ],
  isRecurring: true,
  recurringFrequency: 7,
  recurringDuration: weeks * 7,
  enableAfter: { type: 'anchor', anchor, delay: 0 },
  enableAtTime: OPENS_AT,
  availabilityWindowHours: WINDOW_HOURS,
  postSubmissionText: 'Thank you. See you next week.',
  onSubmitRules: [
    {
      id: 'call',
      conditions: [{ id: 'high', operator: 'more', scoreThreshold: CALL_FROM - 1 }],
      actions: [{ id: 'tell', type: 'showMessage', message: CALL }],
    },
    ...(code === phq9.code ? [urgent] : []),
  ],
  ...more,
})

const urgent = {
  id: 'urgent',
  conditions: [{ id: 'very-high', operator: 'more', scoreThreshold: URGENT_FROM - 1 }],
  actions: [{ id: 'team', type: 'notifyTeam', message: URGENT }],
}

/** The form on which staff report adverse events. */
export const adverseEvent = (id: Ids) => ({
  name: 'Adverse event',
  adHoc: true,
  enabled: false,
  components: [
    { id: 'term', dataType: id('ae_term'), title: 'What happened?', isRequired: true },
    { id: 'severity', dataType: id('ae_severity'), title: 'How severe was it?', isRequired: true },
    { id: 'serious', dataType: id('ae_serious'), title: 'Was it serious?', isRequired: true },
    {
      id: 'reason',
      dataType: id('ae_reason'),
      title: 'Why was it serious?',
      isRequired: true,
      condition: { dataType: id('ae_serious'), operator: 'equal', value: 'Yes' },
    },
  ],
})
