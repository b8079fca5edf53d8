/** The data types of the demo study by code: nearly every format. */
import type { DataTypeInput } from '#design/dataTypes/model'

type Question = Omit<DataTypeInput, 'code'>

const options = (...labels: string[]) => labels.map((label, n) => ({ label, code: n + 1 }))
const yesNo = { format: 'choice', options: options('Yes', 'No') } as const
const often = ['Not at all', 'Several days', 'More than half the days', 'Nearly every day']
const severity = ['None', 'Mild', 'Moderate', 'Severe']
const scale = (labels: string[]) => labels.map((label, value) => ({ value, label }))

export const dataTypes = {
  // Enrolment
  contact_email: { name: 'E-mail for the newsletter', format: 'text', maxLength: 200, isPii: true },
  sex: { name: 'Sex', format: 'choice', options: options('Female', 'Male', 'Intersex', 'Prefer not to say') },
  diagnosed_on: { name: 'Date of the asthma diagnosis', format: 'date', allowFuture: false },
  body: {
    name: 'Height and weight',
    format: 'bmi',
    ...{ minHeight: 120, maxHeight: 220, minWeight: 35, maxWeight: 220 },
  },
  smoking: { name: 'Smoking', format: 'choice', options: options('Never', 'Formerly', 'Currently') },
  smoking_years: { name: 'Years of smoking', format: 'integer', unit: 'years', min: 0, max: 80 },
  triggers: {
    name: 'Known triggers',
    format: 'choice',
    multiple: true,
    options: [...options('Pollen', 'House dust', 'Pets', 'Cold air', 'Exercise'), { label: 'None', isExclusive: true }],
  },
  medication: {
    name: 'Asthma medication',
    format: 'table',
    maxRows: 10,
    columns: [
      { id: 'drug', label: 'Medicine', format: 'text', maxLength: 100 },
      { id: 'dose', label: 'Dose', format: 'float', unit: 'µg', min: 0 },
      { id: 'taken', label: 'Taken', format: 'choice', options: options('Once a day', 'Twice a day', 'As needed') },
    ],
  },
  treatment_code: {
    name: 'Treatment code',
    description: 'Restricted: whoever compares the arms must not know it.',
    format: 'choice',
    options: options('A', 'B'),
    isRestricted: true,
  },
  // Clinic
  measured_at: { name: 'Time of the spirometry', format: 'datetime', allowFuture: false },
  fev1: { name: 'FEV1', format: 'float', unit: 'L', min: 0.3, max: 7, decimals: 2 },
  fvc: { name: 'FVC', format: 'float', unit: 'L', min: 0.5, max: 9, decimals: 2 },
  fev1_fvc: { name: 'FEV1/FVC', format: 'calculation', unit: '%', expression: 'fev1 / fvc * 100', decimals: 1 },
  // Questionnaires
  phq2: {
    name: 'PHQ-2',
    format: 'likert',
    scale: scale(often),
    statements: [
      { key: 'interest', label: 'Little interest or pleasure in doing things' },
      { key: 'mood', label: 'Feeling down, depressed, or hopeless' },
    ],
  },
  quality_of_life: {
    name: 'Quality of life',
    format: 'slider',
    ...{ min: 0, max: 100, step: 1, minLabel: 'The worst I can imagine', maxLabel: 'The best I can imagine' },
  },
  control: { name: 'Control of my asthma', format: 'rating', min: 1, max: 5, minLabel: 'None', maxLabel: 'Complete' },
  days_missed: { name: 'Days off work or school', format: 'integer', unit: 'days', min: 0, max: 7 },
  comment: { name: 'Comment', format: 'paragraph', maxLength: 2000 },
  satisfaction: { name: 'Satisfaction with the study', format: 'rating', min: 1, max: 5 },
  continues: { name: 'Would take part again', ...yesNo },
  // Diary
  symptoms: {
    name: 'Symptoms today',
    format: 'likert',
    scale: scale(severity),
    statements: [
      { key: 'cough', label: 'Cough' },
      { key: 'wheeze', label: 'Wheeze' },
      { key: 'breath', label: 'Shortness of breath' },
      { key: 'chest', label: 'Tightness of the chest' },
    ],
  },
  symptom_score: { name: 'Symptom score', format: 'calculation', expression: 'sum(symptoms)', decimals: 0 },
  woken: { name: 'Woken by asthma last night', ...yesNo },
  woken_at: { name: 'Woken at', format: 'time' },
  puffs: { name: 'Puffs of the reliever', format: 'integer', unit: 'puffs', min: 0, max: 40 },
  peak_flow: { name: 'Peak flow, best of three', format: 'measurements', unit: 'L/min', min: 60, max: 850 },
  // Adverse event
  event_term: { name: 'What happened', format: 'text', maxLength: 200 },
  event_began: { name: 'First day', format: 'date', allowFuture: false },
  event_severity: { name: 'Severity of the event', format: 'choice', options: options(...severity.slice(1)) },
  event_serious: { name: 'Serious', ...yesNo },
  event_reasons: {
    name: 'Why it is serious',
    format: 'choice',
    multiple: true,
    options: options('Life-threatening', 'Stay in hospital', 'Lasting harm', 'Medically important'),
  },
  event_outcome: { name: 'Outcome', format: 'choice', options: options('Recovered', 'Recovering', 'Not recovered') },
} as const satisfies Record<string, Question>

export type Code = keyof typeof dataTypes
