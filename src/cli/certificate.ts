import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import { configure, serverOptions } from '#server/config/settings'
import { readDataDirectory } from '#server/process/dataDirectory'
import { writeDurably } from '#server/process/durableFile'
import type { Call, Command } from './command'

const FLAGS = ['data', 'host', 'tls', 'public-url']
const NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)+$|^[a-z0-9-]+$/

/** The names of a request: those of `--names`, or the public address. */
function requestedNames(names: string | undefined, publicUrl: string | undefined): string[] {
  const namesInFlag = names?.split(',').map((name) => name.trim().toLowerCase())
  const list = namesInFlag ?? (publicUrl ? [new URL(publicUrl).hostname] : [])
  if (!list.length) throw fault('Say for which names: --names study.example.org,10.0.0.7')
  for (const name of list)
    if (!NAME.test(name) && !isIP(name)) throw fault(`"${name}" in --names is neither a server name nor an address.`)
  return [...new Set(list)]
}

function readInput(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw fault(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function runCertificate({ flags, words, env, print }: Call): Promise<number> {
  const config = configure(Object.fromEntries(Object.entries(flags).filter(([flag]) => FLAGS.includes(flag))), env)
  const { tls } = readDataDirectory(config.data)
  const manage = await import('#server/tls/manage')
  const now = systemClock.now()
  const flagValue = (flag: string) => flags[flag] as string | undefined
  const writeOutput = (text: string, mode?: number) => {
    const out = flagValue('out')
    if (out === undefined) print(text.trimEnd())
    else writeDurably(out, text, mode)
  }
  const [action, file] = words
  if (file !== undefined && action !== 'install') throw fault(`trialbox certificate ${action} takes no file.`)
  switch (action) {
    case undefined:
    case 'show':
      for (const line of manage.describeCertificates(config, tls, now)) print(line)
      return 0
    case 'export':
      writeOutput(manage.giveAuthority(tls).cert, 0o644)
      return 0
    case 'request': {
      const names = requestedNames(flagValue('names'), config.publicUrl)
      writeOutput(await manage.requestCertificate(tls, names), 0o644)
      const out = flagValue('out')
      // Not on stdout, which may hold the request itself.
      const where = out === undefined ? '' : ` in ${out}`
      process.stderr.write(
        `made a key, which stays in ${join(tls, 'request-key.pem')}, and a request for ${names.join(', ')}${where}. Send the request to the authority, then: trialbox certificate install <file>\n`,
      )
      return 0
    }
    case 'install': {
      if (file === undefined) throw fault('Name the file: trialbox certificate install study.pem')
      const key = flagValue('key')
      const keyText = key === undefined ? undefined : readInput(key).toString('latin1')
      const installed = manage.installCertificate(tls, readInput(file), keyText, now)
      const { fingerprint, expiresAt } = installed
      print(`installed, until ${new Date(expiresAt / 1000).toISOString().slice(0, 10)}; SHA-256 ${fingerprint}`)
      for (const note of manage.installedNotes(installed, config)) print(note)
      print('A running server shows it within a minute.')
      return 0
    }
    case 'remove':
      if (!manage.removeInstalled(tls)) throw fault('No certificate of another authority is installed.')
      print('removed: a running server shows its own certificate again within a minute.')
      return 0
    case 'new-authority':
      print(`made; SHA-256 ${(await manage.replaceAuthority(config, tls, now)).fingerprint}`)
      print('Each device that trusted the last one must trust it again.')
      return 0
    default:
      throw fault(`trialbox certificate ${action}: it is show, export, request, install, remove or new-authority.`)
  }
}

export const command: Command = {
  name: 'certificate',
  summary: 'show, export, request and install certificates',
  usage: 'show|export|request|install|remove|new-authority [file] [flags]',
  about:
    'The server may run meanwhile, and takes up what was changed within a minute. `export` writes the certificate of the server’s\nown authority, which devices trust once. `request` makes a key, which stays in the data directory, and a request for another\nauthority, such as that of a hospital; `install` takes the certificate that comes back. `remove` goes back to the own one.',
  options: [
    ...serverOptions.filter(({ flag }) => FLAGS.includes(flag)),
    {
      flag: 'names',
      takes: 'list',
      summary: 'for request: names and addresses, joined by commas',
      otherwise: 'that of --public-url',
    },
    { flag: 'key', takes: 'file', summary: 'for install: its key in PEM form', otherwise: 'that of the last request' },
    { flag: 'out', takes: 'file', summary: 'for export and request: where to write it', otherwise: 'stdout' },
  ],
  examples: [
    'trialbox certificate export --out trialbox.pem',
    'trialbox certificate request --names study.example.org --out study.csr',
    'trialbox certificate install study.pem',
  ],
  words: 2,
  run: runCertificate,
}
