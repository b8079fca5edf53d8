/** The stages of the demo study, in order. `#name` stands for the `_id` of the object of that name (see study). */
import type { Component } from '#design/stages/components'
import type { StageInput } from '#design/stages/model'
import type { Code } from './dataTypes'

const fieldComponent = (code: Code, title: string, more: Partial<Component> = {}): Component => ({
  id: code,
  dataType: `#${code}`,
  title,
  isRequired: true,
  ...more,
})
const heading = (title: string): Component => ({ id: title.toLowerCase().replaceAll(' ', '-'), type: 'title', title })
const optional = { isRequired: false }
const conditionOn = (code: Code, value: string) => ({
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
      fieldComponent('sex', 'Sex'),
      fieldComponent('contact_email', 'Where may we send the newsletter?', optional),
      fieldComponent('body', 'Height and weight'),
      heading('Their asthma'),
      fieldComponent('diagnosed_on', 'When was asthma diagnosed?'),
      fieldComponent('triggers', 'What triggers it?'),
      fieldComponent('smoking', 'Has the person smoked?'),
      fieldComponent('smoking_years', 'For how many years?', conditionOn('smoking', 'Currently')),
      fieldComponent('medication', 'Current asthma medication', optional),
      heading('Spirometry'),
      fieldComponent('fev1', 'FEV1'),
      fieldComponent('fvc', 'FVC'),
      fieldComponent('fev1_fvc', 'FEV1/FVC', optional),
      fieldComponent('treatment_code', 'Treatment code from the envelope', optional),
    ],
  },
  baseline: {
    name: 'About you and your asthma',
    description: 'A few questions before you begin. About three minutes.',
    ...fromSignIn(0),
    oneQuestionPerScreen: true,
    showProgressBar: true,
    components: [
      fieldComponent('phq2', 'Over the last two weeks, how often were you bothered by the following?', points),
      fieldComponent('control', 'How well is your asthma under control?'),
      fieldComponent('quality_of_life', 'How good is your life just now?'),
      fieldComponent('comment', 'Is there anything else we should know?', optional),
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
      fieldComponent('symptoms', 'How were your symptoms today?', points),
      fieldComponent('symptom_score', 'Sum of the symptoms', optional),
      fieldComponent('woken', 'Did asthma wake you last night?'),
      fieldComponent('woken_at', 'When?', { ...conditionOn('woken', 'Yes'), ...optional }),
      fieldComponent('puffs', 'How many puffs of your reliever did you take?'),
      fieldComponent('peak_flow', 'Your best peak flow of three', optional),
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
      fieldComponent('control', 'How well was your asthma under control this week?'),
      fieldComponent('days_missed', 'How many days did you miss at work or school?'),
      fieldComponent('quality_of_life', 'How good was your life this week?'),
      fieldComponent('comment', 'Anything to add?', optional),
    ],
  },
  visit2: {
    name: 'Visit 2',
    description: 'At the practice, filled in together with the nurse.',
    isAnchored: true,
    anchorSchedule: [{ anchor: '#enrolled', dayOffset: 14 }],
    availabilityWindowHours: 168,
    components: [
      fieldComponent('measured_at', 'When was the spirometry done?'),
      fieldComponent('fev1', 'FEV1'),
      fieldComponent('fvc', 'FVC'),
      fieldComponent('fev1_fvc', 'FEV1/FVC', optional),
      fieldComponent('body', 'Height and weight'),
    ],
  },
  followUp: {
    name: 'Follow-up',
    description: 'Four weeks after visit 2.',
    enableAfter: { type: 'stage', stage: '#visit2', stageRecurrence: 0, delay: 28 },
    enableAtTime: '09:00:00',
    availabilityWindowHours: 336,
    components: [
      fieldComponent('control', 'How well is your asthma under control now?'),
      fieldComponent('quality_of_life', 'How good is your life now?'),
      fieldComponent('satisfaction', 'How satisfied were you with the study?'),
      fieldComponent('continues', 'Would you take part again?'),
    ],
    postSubmissionText: 'That was the last questionnaire. Thank you for taking part.',
  },
  adverseEvent: {
    name: 'Adverse event',
    description: 'Whenever something happened to your health.',
    adHoc: true,
    components: [
      fieldComponent('event_term', 'What happened?'),
      fieldComponent('event_began', 'On which day did it begin?'),
      fieldComponent('event_severity', 'How severe was it?'),
      fieldComponent('event_serious', 'Was it serious?'),
      fieldComponent('event_reasons', 'Why was it serious?', conditionOn('event_serious', 'Yes')),
      fieldComponent('event_outcome', 'How is it now?'),
    ],
  },
}
