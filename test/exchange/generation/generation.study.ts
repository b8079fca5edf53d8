/** Generation of studies from descriptions, for tests. */
import type { World } from '../../harness'
import { until } from '../../storage/shelf'

export const prompt =
  '# Visit 1\n1. Weight (kg)\n2. Do you smoke?\n3. Cigarettes per day (0-100)\n\n# Diary, daily for 7 days\n- Pain (0–10)'

/** The job after its end. */
export async function ended(who: World['owner'], jobId: string) {
  await until(async () => (await who.get(`/jobs/${jobId}`)).status !== 'pending')
  return who.get(`/jobs/${jobId}`)
}
