/** Trials that are large enough for exports that are sent while they are written. */
import { type World, world } from '../../harness'
import { study } from './exportStudy'

/** So many copies of one response and its submission, which no operation would make as fast. */
function copy(here: World, count: number) {
  for (const table of ['storedSubmissions', 'storedResponses']) {
    const columns = here.db.$client
      .query<{ name: string }, [{ table: string }]>('SELECT name FROM pragma_table_info($table)')
      .all({ table })
      .map(({ name }) => `"${name}"`)
    const id = table === 'storedResponses' ? '"_id"' : '"response"'
    const made: Record<string, string> = {
      '"_id"': table === 'storedResponses' ? `printf('f%023x', n)` : '1000 + n',
      '"response"': `printf('f%023x', n)`,
      '"stageRecurrence"': '100 + n',
      '"submission"': '1000 + n',
    }
    here.db.$client.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
       INSERT INTO ${table} (${columns.join(', ')})
       SELECT ${columns.map((column) => made[column] ?? `one.${column}`).join(', ')}
       FROM numbers, (SELECT * FROM ${table} ORDER BY ${id} LIMIT 1) AS one`,
    )
  }
}

/** A trial of so many responses, and one more, of one participant. */
export async function large(count = 30_000, options: Parameters<typeof world>[0] = {}) {
  const here = world(options)
  const of = study(here)
  const n = of.field('n', { format: 'integer' })
  const stage = of.stage('Often', [n], { adHoc: true })
  await of.submit(of.participant('P-1'), stage, { [n]: 7 })
  copy(here, count)
  return { here, of, stage, trial: of.trial, url: `/trials/${of.trial}/responses` as const }
}

/** The answer with its body still to be read. */
export const fetched = ({ service, owner }: Pick<World, 'service' | 'owner'>, url: string) =>
  service.handle(new Request(`http://localhost${url}`, { headers: owner.credentials }), null)
