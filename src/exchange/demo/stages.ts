/** The stages of the demo study, in order. `#name` stands for the `_id` of the object of that name (see study). */
import type { Component } from '#design/stages/components'
import type { StageInput } from '#design/stages/model'
import type { Code } from './dataTypes'

const asks = (code: Code, title: string, more: Partial<Component> = {}): Component => ({
  id: code,
  dataType: `#${code}`,
  title,
  isRequired: true,
  ...more,
})
const heading = (title: string): Component => ({ id: title.toLowerCase().replaceAll(' ', '-'), type: 'title', title })
const optional = { isRequired: false }
const shownBy = (code: Code, value: string) => ({
  condition: { dataType: `#${code}`, operator: 'equal' as const, value },
})
/** Each statement gives as many points as the value of its answer. */
const points = {
  scoringRules: [1, 2, 3].map((value) => ({ id: `p${value}`, points: value, operator: 'equal' as const, value })),
}
const fromSignIn = (delay: number) => ({ enableAfter: { type: 'anchor' as const, anchor: '#signIn', delay } })

export const stages: Record<string, StageInput> = {
  enrolment: {
    name: 'Enrolment',
    description: 'Filled in by the nurse; participants do not see it.',
    enabled: false,
    components: [
      heading('The person'),
      asks('sex', 'Sex'),
      asks('contact_email', 'Where may we send the newsletter?', optional),
      asks('body', 'Height and weight'),
      heading('Their asthma'),
      asks('diagnosed_on', 'When was asthma diagnosed?'),
      asks('triggers', 'What triggers it?'),
      asks('smoking', 'Has the person smoked?'),
      asks('smoking_years', 'For how many years?', shownBy('smoking', 'Currently')),
      asks('medication', 'Current asthma medication', optional),
      heading('Spirometry'),
      asks('fev1', 'FEV1'),
      asks('fvc', 'FVC'),
      asks('fev1_fvc', 'FEV1/FVC', optional),
      asks('treatment_code', 'Treatment code from the envelope', optional),
    ],
  },
  baseline: {
    name: 'About you and your asthma',
    description: 'A few questions before you begin. About three minutes.',
    ...fromSignIn(0),
    oneQuestionPerScreen: true,
    showProgressBar: true,
    components: [
      asks('phq2', 'Over the last two weeks, how often were you bothered by the following?', points),
      asks('control', 'How well is your asthma under control?'),
      asks('quality_of_life', 'How good is your life just now?'),
      asks('comment', 'Is there anything else we should know?', optional),
    ],
    postSubmissionText: 'Thank you. Your diary begins this evening.',
    onSubmitRules: [
      {
        id: 'low-mood',
        conditions: [{ id: 'three', operator: 'more', scoreThreshold: 2 }],
        actions: [
          { id: 'say', type: 'showMessage', message: 'You seem to feel low. Your practice can help: do call them.' },
        ],
      },
    ],
  },
  diary: {
    name: 'Diary, day %n',
    description: 'Your asthma today. One minute.',
    ...fromSignIn(0),
    isRecurring: true,
    recurringFrequency: 1,
    recurringDuration: 28,
    enableAtTime: '18:00:00',
    availabilityWindowHours: 24,
    reminders: [
      { hour: 3, title: 'Your diary', body: 'Please fill in your asthma diary for today.', sendVia: ['push', 'email'] },
    ],
    components: [
      asks('symptoms', 'How were your symptoms today?', points),
      asks('symptom_score', 'Sum of the symptoms', optional),
      asks('woken', 'Did asthma wake you last night?'),
      asks('woken_at', 'When?', { ...shownBy('woken', 'Yes'), ...optional }),
      asks('puffs', 'How many puffs of your reliever did you take?'),
      asks('peak_flow', 'Your best peak flow of three', optional),
    ],
  },
  weekly: {
    name: 'Week %n',
    description: 'How the week was.',
    ...fromSignIn(7),
    isRecurring: true,
    recurringFrequency: 7,
    recurringDuration: 42,
    enableAtTime: '09:00:00',
    availabilityWindowHours: 72,
    reminders: [
      { hour: 24, title: 'Your week', body: 'Please tell us how your week was.', sendVia: ['push', 'email'] },
    ],
    components: [
      asks('control', 'How well was your asthma under control this week?'),
      asks('days_missed', 'How many days did you miss at work or school?'),
      asks('quality_of_life', 'How good was your life this week?'),
      asks('comment', 'Anything to add?', optional),
    ],
  },
  visit2: {
    name: 'Visit 2',
    description: 'At the practice, filled in together with the nurse.',
    isAnchored: true,
    anchorSchedule: [{ anchor: '#enrolled', dayOffset: 14 }],
    availabilityWindowHours: 168,
    components: [
      asks('measured_at', 'When was the spirometry done?'),
      asks('fev1', 'FEV1'),
      asks('fvc', 'FVC'),
      asks('fev1_fvc', 'FEV1/FVC', optional),
      asks('body', 'Height and weight'),
    ],
  },
  followUp: {
    name: 'Follow-up',
    description: 'Four weeks after visit 2.',
    enableAfter: { type: 'stage', stage: '#visit2', stageRecurrence: 0, delay: 28 },
    enableAtTime: '09:00:00',
    availabilityWindowHours: 336,
    components: [
      asks('control', 'How well is your asthma under control now?'),
      asks('quality_of_life', 'How good is your life now?'),
      asks('satisfaction', 'How satisfied were you with the study?'),
      asks('continues', 'Would you take part again?'),
    ],
    postSubmissionText: 'That was the last questionnaire. Thank you for taking part.',
  },
  adverseEvent: {
    name: 'Adverse event',
    description: 'Whenever something happened to your health.',
    adHoc: true,
    components: [
      asks('event_term', 'What happened?'),
      asks('event_began', 'On which day did it begin?'),
      asks('event_severity', 'How severe was it?'),
      asks('event_serious', 'Was it serious?'),
      asks('event_reasons', 'Why was it serious?', shownBy('event_serious', 'Yes')),
      asks('event_outcome', 'How is it now?'),
    ],
  },
}
