/** Random bodies of requests: answers to the form of the study, and settings of stages. */
import type { RandomStudy } from './random.study'

export function randomBodies({ study, all, any, below, chance, maybe, one, some }: RandomStudy) {
  const { ids } = study
  const answers = () =>
    study.sent({
      ...(chance(0.8) ? { pulse: maybe(30 + below(220)) } : {}),
      ...(chance(0.4) ? { symptom: maybe(one(['cough', 'rash', 'x'])) } : {}),
      ...(chance(0.4) ? { smoker: maybe([one(['Yes', 'No'])]) } : {}),
      ...(chance(0.3) ? { mood: maybe({ q1: below(5), q2: null }) } : {}),
      ...(chance(0.3) ? { drugs: maybe([{ name: 'Aspirin', dose: below(3) }]) } : {}),
      ...(chance(0.2) ? { body: maybe({ height: 180, weight: 81, bmi: 25 }) } : {}),
      ...(chance(0.2) ? { glucose: maybe(below(400) / 10) } : {}),
    })
  const components = () =>
    some(study.components, 0.7).map((component) => {
      const fields = { ...component, isRequired: chance(0.1) }
      if (component.id === 'glucose' && chance(0.5)) {
        return { ...fields, condition: { dataType: ids.pulse, operator: 'more', value: 60 + below(60) } }
      }
      if (component.id !== 'pulse' || chance(0.5)) return fields
      return { ...fields, scoringRules: [{ id: 'high', points: below(5), operator: 'more', value: 80 }] }
    })
  const stageChange = () => ({
    ...(chance(0.5) ? { components: components() } : {}),
    ...(chance(0.2) ? { enabled: chance(0.8) } : {}),
    ...(chance(0.2) ? { adHoc: chance(0.3) } : {}),
    ...(chance(0.1) ? { isPoll: chance(0.3) } : {}),
    ...(chance(0.3) ? { isRecurring: true, recurringFrequency: 1 + below(3), recurringDuration: 1 + below(9) } : {}),
    ...(chance(0.1) ? { isRecurring: false } : {}),
    ...(chance(0.2) ? { allowIncompleteSubmission: chance(0.5) } : {}),
    ...(chance(0.2) ? { availableToSites: maybe(some(all('sites'))) } : {}),
    ...(chance(0.2) ? { availableToGroups: maybe(some(all('groups'))) } : {}),
    ...(chance(0.2) ? { enableAtTime: maybe(`0${below(10)}:30:00`) } : {}),
    ...(chance(0.2) ? { behindCutoffTime: maybe(`2${below(4)}:00:00`) } : {}),
    ...(chance(0.1) ? { exemptFromBehindStatus: chance(0.3) } : {}),
    ...(chance(0.2) ? { availabilityWindowHours: maybe(1 + below(72)) } : {}),
    ...(chance(0.2) ? { reminders: [{ hour: below(30), title: 'Diary', body: 'Please.', sendVia: ['email'] }] } : {}),
    ...(chance(0.1) ? { index: below(4) } : {}),
    ...(chance(0.2)
      ? {
          onSubmitRules: [
            {
              id: 'tell',
              conditions: [{ id: 'any', operator: 'more', scoreThreshold: below(3) }],
              actions: [{ id: 'team', type: 'notifyTeam' }],
            },
          ],
        }
      : {}),
    ...(chance(0.1)
      ? {
          enableAfter: maybe({ type: 'stage', stage: any('stages'), stageRecurrence: below(2), delay: below(90) - 20 }),
        }
      : {}),
    ...(chance(0.1) ? { isAnchored: true, anchorSchedule: [{ anchor: any('anchors'), dayOffset: below(9) - 3 }] } : {}),
    ...(chance(0.05) ? { isAnchored: false, enableAfter: null } : {}),
  })
  return { answers, components, stageChange }
}
