/** A study with answers to many forms of the library. */
import { firstOf, present } from '../../present'
import { libraryStudy } from './exports.sdtm.study'

/** A text of more than 200 bytes. */
export const LONG = `${'Ärger mit 漢字 und 😀, '.repeat(30)}Ende`

/** Two participants, and an archived one. */
export async function everything() {
  const s = await libraryStudy(
    ...(['demographics', 'eligibility', 'vital-signs', 'phq-9', 'gad-7', 'adverse-event'] as const),
    ...(['concomitant-medication', 'end-of-study', 'medical-history', 'ecog'] as const),
  )
  const { of, stages, answer } = s
  const site = of.site('S-A')
  const [anna, bert] = [of.participant('P-1', { sites: [site] }), of.participant('P-2', { sites: [site] })]
  of.participant('archived', { isArchived: true })
  await answer(anna, stages.demographics, {
    ...{ dm_date: '2025-03-01T00:00:00Z', dm_birth: '1980-05-06T00:00:00Z', dm_sex: ['Female'] },
    ...{ dm_ethnicity: 'Čech', dm_smoking: ['Former'] },
  })
  await answer(anna, stages.eligibility, {
    ...{ ie_consent: ['Yes'], ie_consent_date: '2025-02-27T00:00:00Z', ie_included: ['Yes'], ie_excluded: ['No'] },
    ...{ ie_by: 'Dr Who', ie_date: '2025-02-28T00:00:00Z' },
  })
  await answer(anna, stages['vital-signs'], {
    ...{ vs_time: '2025-03-01T08:30:00Z', vs_position: ['Sitting'], vs_sysbp: 121, vs_diabp: 80, vs_pulse: 64 },
    ...{ vs_temp: 36.6, vs_bmi: { height: 180, weight: 81 } },
  })
  const points = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`q${n + 1}`, n % 4]))
  await answer(anna, stages['phq-9'], { phq9: points, phq9_difficulty: ['Very difficult'] })
  await answer(anna, stages['adverse-event'], {
    ...{ ae_term: 'Headache', ae_start: '2025-03-03T00:00:00Z', ae_ongoing: ['No'], ae_end: '2025-03-04T00:00:00Z' },
    ...{ ae_grade: ['Life-threatening'], ae_serious: ['Yes'], ae_related: ['Possibly related'] },
    ...{ ae_criteria: ['Is life-threatening', 'Is another important medical event'], ae_action: ['Drug interrupted'] },
    ...{ ae_treated: ['No'], ae_outcome: ['Recovered or resolved'], ae_comment: LONG },
  })
  await answer(anna, stages['concomitant-medication'], {
    cm_any: ['Yes'],
    cm_list: [
      {
        name: 'Aspirin',
        dose: 500.5,
        unit: 'mg',
        frequency: ['Twice daily'],
        route: ['Oral'],
        start: '2025-01-01T00:00:00Z',
      },
      { name: '=Ibuprofen', indication: 'Pain' },
    ],
  })
  await answer(bert, stages['concomitant-medication'], { cm_any: ['No'] })
  await answer(anna, stages['end-of-study'], {
    ...{
      ds_completed: ['No'],
      ds_date: '2025-06-01T00:00:00Z',
      ds_reason: ['Lost to follow-up'],
      ds_details: 'Moved.',
    },
  })
  await answer(anna, stages.ecog, { ecog: [firstLabel(s, 'ecog')] })
  return { ...s, anna, bert }
}

const firstLabel = (s: Awaited<ReturnType<typeof libraryStudy>>, code: string) =>
  firstOf(present(s.of.config().dataTypes.get(s.idOf(code))?.options)).label
