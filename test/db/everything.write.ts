/** Writes a database with one of everything to the file that TRIALBOX_EVERYTHING names. `scripts/freeze.ts` runs this. */
import { test } from 'bun:test'
import { everything } from '../everything'
import { present } from '../present'

test('one of everything is written', async () => {
  const { saved } = await everything()
  await Bun.write(present(process.env.TRIALBOX_EVERYTHING), present(saved().files.get('trialbox.db')))
})
