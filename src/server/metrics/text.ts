/** The text format of Prometheus. */

export type Labels = Readonly<Record<string, string | number>>

const escaped = (text: string) =>
  text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

export function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(`${value}`)}"`)
  return `${name}${pairs.length ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

export const family = (
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  lines: readonly string[],
): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`

export const gauge = (name: string, help: string, value: number): string =>
  family(name, 'gauge', help, [line(name, {}, value)])
