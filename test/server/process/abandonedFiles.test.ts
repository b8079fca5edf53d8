import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { abandonedRestores } from '#server/process/abandonedFiles'
import { afterFile } from '../../afterFile'
import { until } from '../../until'
import { freshFolder } from './folder'

const state = (pid: number) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]

// As in a container whose first process does not ask for the end of others.
test.skipIf(!existsSync('/proc/self/stat'))(
  'what a killed process left is found, also if its parent never asks for its end',
  async () => {
    const parent = Bun.spawn(['sh', '-c', 'sleep 600 & echo $!; exec sleep 600'], { stdout: 'pipe' })
    afterFile(() => parent.kill('SIGKILL'))
    const { value } = await parent.stdout.getReader().read()
    const pid = Number(new TextDecoder().decode(value))
    const data = join(freshFolder(), 'data')
    const left = `${data}.restoring-${pid}-0123456789ab`
    mkdirSync(left)
    expect(abandonedRestores(data)).toEqual([])
    process.kill(pid, 'SIGKILL')
    await until(() => state(pid) === 'Z')
    expect(abandonedRestores(data)).toEqual([left])
  },
)
