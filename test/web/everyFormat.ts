/** A form with a question of every format, as a study would ask it, for looking at its widgets. Made over HTTP. */
import type { Call } from './appStudy'

const points = ['Never', 'On some days', 'On more than half of the days', 'Nearly every day']
const medicines = [
  ...['Amlodipine', 'Apixaban', 'Atorvastatin', 'Bisoprolol', 'Ibuprofen', 'Levothyroxine', 'Metformin', 'Metoprolol'],
  ...['Omeprazole', 'Pantoprazole', 'Paracetamol', 'Ramipril', 'Salbutamol', 'Simvastatin', 'Torasemide', 'Zolpidem'],
]

type QuestionCase = { title: string; type: Record<string, unknown>; isRequired?: boolean; description?: string }

/** The questions, by the code of their data type. */
export const questions: Readonly<Record<string, QuestionCase>> = {
  call: { title: 'What shall we call you?', type: { format: 'text', maxLength: 40 }, isRequired: true },
  night: {
    title: 'How was your night?',
    description: 'In your own words. Whatever matters to you.',
    type: { format: 'paragraph', maxLength: 2000 },
  },
  pulse: {
    title: 'Your pulse at rest',
    type: { format: 'integer', min: 30, max: 220, unit: 'beats a minute' },
    isRequired: true,
  },
  warmth: { title: 'Your temperature', type: { format: 'float', decimals: 1, min: 34, max: 43, unit: '°C' } },
  pain: {
    title: 'How strong is your pain now?',
    type: { format: 'slider', min: 0, max: 100, minLabel: 'No pain at all', maxLabel: 'The worst pain imaginable' },
    isRequired: true,
  },
  rest: {
    title: 'How rested do you feel?',
    type: { format: 'rating', min: 0, max: 10, minLabel: 'Not at all', maxLabel: 'Completely' },
  },
  since: { title: 'When did the cough begin?', type: { format: 'date', min: '2020-01-01', max: '2030-12-31' } },
  dose: { title: 'When did you take your last dose?', type: { format: 'datetime' } },
  bed: { title: 'When did you go to bed?', type: { format: 'time' } },
  smokes: {
    title: 'Do you smoke?',
    type: {
      format: 'choice',
      options: [{ label: 'Yes' }, { label: 'No' }, { label: 'I would rather not say', missing: true }],
    },
    isRequired: true,
  },
  signs: {
    title: 'Which of these did you have in the last week?',
    type: {
      format: 'choice',
      multiple: true,
      options: [
        ...['Cough', 'Fever', 'Shortness of breath when climbing stairs or walking quickly'].map((label) => ({
          label,
        })),
        { label: 'None of these', isExclusive: true },
      ],
    },
  },
  medicine: {
    title: 'Which medicine do you take each day?',
    type: { format: 'choice', multiple: true, options: medicines.map((label) => ({ label })) },
  },
  mood: {
    title: 'How often were you bothered by this in the last two weeks?',
    type: {
      format: 'likert',
      allowNotApplicable: true,
      scale: points.map((label, value) => ({ value, label })),
      statements: [
        { key: 'a', label: 'Little interest or pleasure in doing things' },
        { key: 'b', label: 'Feeling down, depressed or hopeless' },
      ],
    },
    isRequired: true,
  },
  drugs: {
    title: 'What else did you take?',
    type: {
      format: 'table',
      maxRows: 5,
      columns: [
        { id: 'n', label: 'Name', format: 'text' },
        { id: 'd', label: 'Dose', format: 'float', unit: 'mg' },
        { id: 'h', label: 'Did it help?', format: 'choice', options: [{ label: 'Yes' }, { label: 'No' }] },
        { id: 's', label: 'How strongly?', format: 'slider', min: 0, max: 10 },
        { id: 't', label: 'On which day?', format: 'date' },
      ],
    },
  },
  body: { title: 'Your height and weight', type: { format: 'bmi' } },
  wound: { title: 'A photo of the wound', type: { format: 'image' } },
  walk: { title: 'A short film of how you walk', type: { format: 'video' } },
  letter: {
    title: 'The letter of your doctor',
    type: { format: 'file', mimeTypes: ['application/pdf', 'image/*'], maxSize: 5_242_880 },
  },
  twice: { title: 'Beats in two minutes', type: { format: 'calculation', expression: 'e_pulse * 2' } },
}

/** Makes the form, which can be filled in at any time. Returns the stage, and the data types by code. */
export async function formOfEveryFormat(call: Call, trial: string, fields: Record<string, unknown> = {}) {
  const ids: Record<string, string> = {}
  for (const [code, { title, type }] of Object.entries(questions)) {
    const fields = { name: title, code: `e_${code}`, ...type }
    ids[code] = (await call('POST', `/trials/${trial}/data-types`, fields))._id
  }
  const components: Record<string, unknown>[] = Object.entries(questions).map(([code, { type: _, ...rest }]) => ({
    ...{ id: code, dataType: ids[code], isRequired: false, ...rest },
  }))
  const stage = await call('POST', `/trials/${trial}/stages`, {
    ...{ name: 'Your week', description: 'Some questions about the last seven days.', components, adHoc: true },
    ...{ showProgressBar: true, postSubmissionText: 'Sleep well. We ask you again in a week.' },
    ...fields,
  })
  return { stage: stage._id as string, ids }
}
