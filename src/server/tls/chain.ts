/** The certificates in a file, and the order in which clients need them. */
import type { KeyObject, X509Certificate } from 'node:crypto'
import { nodeCrypto } from '#kernel/cryptography'
import { fault } from '#kernel/fault'

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g
const BEGIN = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/g

/**
 * The blocks of a PEM text of which the label ends so, such as `CERTIFICATE` or `PRIVATE KEY`. Each ends with a line break, and its
 * lines end as those of Unix do.
 */
export const blocksOf = (text: string, label: string): string[] =>
  [...text.replaceAll('\r', '').matchAll(BLOCK)]
    .filter(([, found]) => found!.endsWith(label))
    .map(([block]) => `${block}\n`)

/** A certificate as PEM text that ends with a line break. */
export const pemOf = (certificate: X509Certificate): string => `${certificate.toString().trim()}\n`

/**
 * The certificates of a PEM text.
 * @param name how sentences call its file
 * @throws a fault if there is none, or if one of them is not whole, as in a file that somebody is writing
 */
export function certificatesIn(text: string, name: string): X509Certificate[] {
  const blocks = blocksOf(text, 'CERTIFICATE')
  if (blocks.length < (text.match(BEGIN)?.length ?? 0))
    throw fault(`${name} is cut off: one of its certificates has no end.`)
  if (!blocks.length) throw fault(`${name} is no certificate in PEM form.`)
  try {
    return blocks.map((block) => new (nodeCrypto().X509Certificate)(block))
  } catch {
    throw fault(`${name} is no certificate in PEM form, or one in it is damaged.`)
  }
}

/** Whether a certificate was signed with the key of another, not only in its name. */
const isSignedWith = (certificate: X509Certificate, signer: X509Certificate): boolean =>
  certificate.checkIssued(signer) && certificate.verify(signer.publicKey)

/**
 * The certificate of a key, the one that signed it, and so on; `others` are those that did not sign any of them. The order in the
 * file does not matter: authorities send them in any.
 */
export function chainOf(
  certificates: readonly X509Certificate[],
  key: KeyObject,
): { chain: X509Certificate[]; others: X509Certificate[] } {
  const others = [...certificates]
  const take = (isWanted: (each: X509Certificate) => boolean) => {
    const at = others.findIndex(isWanted)
    return at < 0 ? [] : others.splice(at, 1)
  }
  const chain = take((each) => each.checkPrivateKey(key))
  for (const last of chain) chain.push(...take((each) => isSignedWith(last, each)))
  return { chain, others }
}
