/** The check of the structure of ODM files finds what is wrong with them. */
import { expect, test } from 'bun:test'
import { signatureStudy } from '../../conduct/signatures/signatures.study'
import { odmOf } from './odmFile'
import { expectStructure } from './odmStructure'

/** A part of a file, what takes its place, and the edition if it is not in both. */
const faults: [why: string, part: RegExp, instead: string, only?: '1.3.2' | '2.0'][] = [
  ['an attribute is missing', / Mandatory="No"/, ''],
  ['an attribute is unknown', /<ItemData /, '<ItemData Colour="red" '],
  ['a value is not allowed', /Mandatory="No"/, 'Mandatory="Maybe"'],
  ['the order is wrong', /(<DateTimeStamp>[^<]*<\/DateTimeStamp>)/, '$1$1'],
  ['an element has two audit records', /(<AuditRecord>.*?<\/AuditRecord>)/s, '$1$1'],
  ['a form has two signatures', /(<Signature>.*?<\/Signature>)/s, '$1$1'],
  ['a reference does not resolve', /UserOID="U\.[^"]*"/, 'UserOID="U.nobody"'],
  ['a number of an item occurs twice', /OrderNumber="2"/, 'OrderNumber="1"'],
  ['an OID occurs twice', /(<CodeList .*?<\/CodeList>)/s, '$1$1'],
  ['a text has no language', / xml:lang="[^"]*"/, ''],
  ['a code is not in the list', /CodedValue="0"/, 'CodedValue="9"'],
  ['a blank has a value', / Value="60"/, ' IsNull="Yes" Value="60"', '1.3.2'],
  ['a whole number is none', / Value="60"/, ' Value="6e1"', '1.3.2'],
  ['a whole number is none', /<Value>60</, '<Value>6e1<', '2.0'],
  ['values are typed and not typed', /<ItemData /, '<ItemDataInteger ItemOID="x"/><ItemData '],
  ['a snapshot has transactions', /<SubjectData /, '<SubjectData TransactionType="Insert" '],
  ['the namespace is that of another edition', /ns\/odm\/v[\d.]+/, 'ns/odm/v1.2'],
]

test.each(['1.3.2', '2.0'] as const)('of ODM %s', async (version) => {
  const s = await signatureStudy()
  await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'I reviewed it' })
  const { text } = await odmOf(s, s.owner, `/trials/${s.trial}/responses?type=odm&odmVersion=${version}`)
  expectStructure(text, version)
  for (const [why, part, instead, only] of faults) {
    if (only !== undefined && only !== version) continue
    const broken = text.replace(part, instead)
    expect({ why, isChanged: broken !== text }).toEqual({ why, isChanged: true })
    let found = false
    try {
      expectStructure(broken, version)
    } catch {
      found = true
    }
    expect({ why, found }).toEqual({ why, found: true })
  }
})
