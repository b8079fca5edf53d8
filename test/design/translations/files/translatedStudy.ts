/** A study in English with German texts. */
import { present } from '../../../present'
import { study } from '../../../study'

export const smoker = {
  name: 'Smoker',
  translations: { de: { name: 'Raucht' } },
  options: [
    { label: 'Yes', code: '1', translations: { de: { label: 'Ja' } } },
    { label: 'No', code: '0', translations: { de: { label: 'Nein' } } },
  ],
}

const stageTexts = {
  postSubmissionText: 'Thank you',
  translations: { de: { name: 'Besuch', postSubmissionText: 'Danke' } },
  required: ['smoker'],
  component: {
    smoker: { description: 'Today', translations: { de: { title: 'Rauchen Sie?' } } },
    pulse: {
      constraint: { expression: 'pulse < 200', message: 'Too high', translations: { de: { message: 'Zu hoch' } } },
      scoringRules: [{ id: 's', operator: 'more', value: 100, points: 5 }],
    },
  },
  onSubmitRules: [
    {
      id: 'r',
      conditions: [{ id: 'c', operator: 'more', scoreThreshold: 1 }],
      actions: [
        { id: 'a', type: 'showMessage', message: 'Rest', translations: { de: { message: 'Ruhen Sie' } } },
        { id: 'b', type: 'messageParticipant', message: 'Call us', translations: { de: { message: 'Rufen Sie an' } } },
      ],
    },
  ],
}

/** A study in English with German texts. */
export async function translated() {
  const s = await study({
    trial: { languages: ['en', 'de', 'fr'], translations: { de: { name: 'Atemstudie' } } },
    stage: stageTexts,
  })
  await s.owner.do('updateDataType', s.ids.smoker!, smoker)
  const own = `/participants/trials/${s.trial}/stages` as const
  return { ...s, own, stageUrl: `/stages/${s.stage}` as const, at: `/trials/${s.trial}` as const }
}

/** A component of an opened form. */
export const asked = (detail: { components: { id: string }[] }, id: string) =>
  present(detail.components.find((each) => each.id === id))
