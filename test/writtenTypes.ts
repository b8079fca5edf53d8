/** Writes the rules of the operations if they are not there, as in a fresh clone. `npm test` writes them anew each time. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
if (!existsSync(join(root, 'src/web/kit/api/rules.ts')))
  Bun.spawnSync([process.execPath, 'scripts/types.ts'], { cwd: root, stderr: 'inherit' })
