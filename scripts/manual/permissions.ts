/** The tables of the manual about permissions. */
import { type Key, keys, keysOf } from '#access/keys'
import { roleTemplates, templateNames } from '#design/roles/templates'
import { code, table } from './markdown'
import { all, nameOf } from './operations'

const grants = (word: string, key: Key) => keysOf([word]).has(key)

export function templateTable(): string {
  const rows = templateNames.map((template) => {
    const { name, description, keys: held } = roleTemplates[template]
    return [code(template), `${name}. ${description}`, held.map((key: Key) => code(key)).join(', ')]
  })
  return table(['`template`', 'what it is for', 'keys'], rows)
}

export function keyTable(): string {
  const rows = keys.map((key) => {
    const implies = [...keysOf([`trial.${key}`])].filter((each) => each !== key)
    const list = ['admin', 'write', 'read'].includes(key) ? '' : implies.map(code).join(', ')
    const mark = (word: string) => (key === word.slice(6) ? 'itself' : grants(word, key) ? 'yes' : '')
    return [code(key), mark('trial.read'), mark('trial.write'), mark('trial.admin'), list]
  })
  return table(['key', '`trial.read`', '`trial.write`', '`trial.admin`', 'the key gives also'], rows)
}

export function fieldTables(): string {
  return all
    .filter(({ needsByField }) => needsByField)
    .map((op) => {
      const byWord = Map.groupBy(Object.entries(op.needsByField!), ([, word]) => word)
      const rows = [...byWord].map(([word, fields]) => [
        fields.map(([field]) => code(field)).join(', '),
        code(`${word}`),
      ])
      return `${code(nameOf(op))}:\n\n${table(['fields', 'permission'], rows)}`
    })
    .join('\n\n')
}
