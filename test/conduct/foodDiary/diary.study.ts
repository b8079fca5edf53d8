/** A study with food diaries, for their tests. */
import { calendarStudy } from '../appointments/appointments.study'

export const APPLE = 171688
export const BANANA = 173944

export async function diaryStudy() {
  const s = await calendarStudy()
  const { owner, trial, anna, of } = s
  await owner.do('updateTrial', trial, { foodDiariesEnabled: true })
  const diary = `${of(anna)}/foodDiaryEntries` as const
  const breakfast = {
    date: '2026-03-02',
    meal: 'breakfast' as const,
    foodId: APPLE,
    portion: { size: 182, unit: 'grams' as const, description: '1 medium' },
  }
  return { ...s, diary, breakfast, search: `/trials/${trial}/food-search` as const }
}
