/**
 * The labelled set of `bench/memory.ts`: notes as directors and agents leave them, each with a question that asks for it in
 * other words. All people, companies and projects are invented.
 */

/** A memory, and a question whose answer it is. */
export type Labelled = readonly [memory: string, question: string];

/** English notes with English questions. */
export const ENGLISH: readonly Labelled[] = [
  [
    'Anna Weber prefers to be addressed informally and signs with her first name.',
    'How formal should a reply to Anna be?',
  ],
  [
    'Anna Weber only reads mail in the morning; anything urgent should be a phone call.',
    'How do I reach Anna quickly in the afternoon?',
  ],
  [
    'Benjamin Whitaker is our tax consultant; he needs all receipts by the 10th of the month.',
    'When does the accountant want the bills?',
  ],
  [
    'Benjamin Whitaker is on parental leave until March; Clara Nolan covers for him.',
    'Who replaces Whitaker while he is away?',
  ],
  ['Carla Mendes dislikes long messages: three sentences at most.', 'How long may an answer to Carla be?'],
  [
    'Carla Mendes decides alone on purchases below 5,000 euros.',
    'Up to which amount can Mendes approve an order herself?',
  ],
  ['David Okafor always wants prices without VAT in offers.', 'Does Okafor want net or gross amounts?'],
  ['David Okafor moved from Sales to Procurement in September.', 'Which department is David in now?'],
  ['Elena Petrova is vegetarian and allergic to nuts.', 'What can Elena not eat at the team dinner?'],
  ['Elena Petrova works from Lisbon, one hour behind us.', 'In which time zone is Petrova?'],
  ['Farid Haddad must be copied on everything about the warehouse.', 'Who has to be in cc for storage topics?'],
  ['Farid Haddad cannot open ZIP files; send him PDFs one by one.', 'In what form should attachments go to Farid?'],
  ['Grace Kim asked not to be contacted on weekends.', 'May I write to Grace on Saturday?'],
  ['Grace Kim is the lawyer for the lease of the office in Hamburg.', 'Which attorney handles our rental contract?'],
  [
    'Henry Adler complains when he gets several mails a day; bundle them into one.',
    'Should I send Adler one message or several?',
  ],
  ['Henry Adler retires at the end of the year; his successor is Ines Roth.', 'Who will take over from Henry?'],
  ['Ivan Sokolov speaks Russian and German, but writes English poorly.', 'Which language is best for Sokolov?'],
  [
    'Ivan Sokolov pays late but always pays; no reminders before 45 days.',
    'How soon should we dun Ivan for an open invoice?',
  ],
  ['Julia Brandt wants minutes of every meeting on the same day.', 'What does Julia expect after a call?'],
  ['Julia Brandt hates emojis in business mail.', 'Are smileys fine in a mail to Brandt?'],
  ['The user prefers meetings in the afternoon, never before 10 am.', 'What time of day suits me for appointments?'],
  ['The user wants drafts without exclamation marks.', 'Which punctuation should I avoid when I write for the owner?'],
  ['The user never shares his mobile number with vendors.', 'Can a supplier get the private phone number?'],
  ['The user signs contracts only with DocuSign.', 'How are agreements signed electronically?'],
  ['The user flies economy and wants an aisle seat.', 'Where does he like to sit on a plane?'],
  ['The user is away from 3 to 17 August, in Norway without a computer.', 'When is the summer vacation?'],
  [
    'The user wants newsletters about typography kept and all others archived.',
    'Which mailing lists are worth keeping?',
  ],
  ['The user answers to recruiters with a short no and no reasons.', 'What do we say to headhunters?'],
  [
    'The user likes to be reminded of birthdays two days ahead.',
    'How early should I mention that somebody has a birthday?',
  ],
  [
    'The user pays private invoices from the account at Postbank, never from the company.',
    'Which bank account is used for personal bills?',
  ],
  [
    'Project Falcon was delayed to the second quarter because the sensors arrive late.',
    'Why is Falcon behind schedule?',
  ],
  ['Project Falcon has a budget of 80,000 euros, of which half is spent.', 'How much money is left for Falcon?'],
  [
    'Project Heron is confidential: its name must not appear in mail subjects.',
    'Which project must I not mention in a headline?',
  ],
  ['Project Heron is led by Marta Silva, with Tom Reed as her deputy.', 'Who is in charge of Heron?'],
  [
    'Project Kestrel ended in May; questions about it go to the archive team.',
    'Who answers about the finished Kestrel work?',
  ],
  ['Project Osprey needs a security review before every release.', 'What has to happen before Osprey ships a version?'],
  ['The weekly status mail of Osprey goes out on Thursday at noon.', 'When is the Osprey report due each week?'],
  [
    'The test server of Osprey is switched off at night to save costs.',
    'Why can I not reach the Osprey staging machine in the evening?',
  ],
  ['Invoices above 10,000 euros need two signatures.', 'Who must approve a large bill?'],
  ['Travel costs are refunded within 30 days if the form is complete.', 'How long does reimbursement of a trip take?'],
  [
    'New suppliers must fill in the compliance questionnaire before the first order.',
    'What does a new vendor have to do first?',
  ],
  [
    'Complaints about broken parcels go to the carrier Nordfracht, not to our support.',
    'Who deals with damaged packages?',
  ],
  [
    'Refunds to customers are made to the card that was charged, never by bank transfer.',
    'How does a client get the money back?',
  ],
  ['Our warranty is two years, three for the professional line.', 'How long is the guarantee on the pro products?'],
  ['The spare part 4471 is discontinued; offer 4480 as a replacement.', 'What do we sell instead of part 4471?'],
  ['Prices go up by four percent on the first of January.', 'When does everything become more expensive?'],
  ['Schools and universities get a discount of fifteen percent.', 'Is there a reduced price for education?'],
  ['Shipping to Switzerland takes five days because of customs.', 'How fast is a delivery to Zurich?'],
  ['The office in Hamburg is closed between Christmas and New Year.', 'Is somebody there on 28 December?'],
  ['The parking garage opens at 6:30 and needs the blue card.', 'How do visitors get in with a car?'],
  [
    'The meeting room Atlantic seats twelve and has a video screen.',
    'Which room fits ten people for a video conference?',
  ],
  ['The Wi-Fi password for guests changes every Monday.', 'How often is the guest network key renewed?'],
  ['Mail from the domain lotto-gewinn.example is always fraud.', 'Which sender is a scam?'],
  [
    'Messages of the ticket system should not be answered by mail but in the portal.',
    'Where do I reply to a ticket notification?',
  ],
  [
    'Karin Lund lost her husband in spring; no jokes in mails to her.',
    'Why should I be careful with the tone towards Karin?',
  ],
  ['Karin Lund is the contact for the trade fair in Cologne.', 'Who organizes our booth at the exhibition?'],
  ['Liam Byrne asked for the contract in Word format, not PDF.', 'Which file type does Liam want?'],
  [
    'Liam Byrne negotiates hard: never name a price in the first mail.',
    'What should be left out at the beginning with Byrne?',
  ],
  [
    'Mona Fischer is a journalist; all answers to her go through the press office.',
    'How do we handle questions of reporters?',
  ],
  ['Mona Fischer writes about batteries for the magazine Volt.', 'What is the subject of the Volt author?'],
  ['Noah Berg has a hearing aid and prefers chat to phone calls.', 'Why should I not call Noah?'],
  ['Noah Berg is the father of Lena Berg from the design team.', 'Are Noah and Lena related?'],
  ['Olivia Grant cancelled her subscription because of slow support.', 'Why did Grant leave us?'],
  ['Olivia Grant came back in October with the yearly plan.', 'Is Olivia a customer again?'],
  ['Peter Novak only works Tuesday to Thursday.', 'On which days can I get hold of Peter?'],
  ['Peter Novak keeps the keys of the archive in the basement.', 'Who can unlock the cellar with the old files?'],
  ['Quentin Moreau wants quotes in Swiss francs.', 'In which currency are offers for Moreau?'],
  ['Rosa Alvarez is hard to understand on the phone; ask her for a written summary.', 'What to do when Rosa calls?'],
  ['Samir Patel tests every beta version within a day and gives detailed feedback.', 'Who is a reliable early tester?'],
  ['Tessa Vogel wants to be asked before her photos are published.', 'Do we need permission for pictures of Tessa?'],
  ['The backup of the mail server runs at two in the morning.', 'When are the messages saved?'],
  ['The certificate of the shop expires on 14 February.', 'When must the TLS of the store be renewed?'],
  [
    'The printer on the second floor only takes A4 and jams with recycled paper.',
    'What kind of sheets causes trouble when printing upstairs?',
  ],
  ['Orders of the hospital have priority over all others.', 'Whose purchases come first?'],
  ['The hospital pays by direct debit on the 15th.', 'How does the clinic settle its bills?'],
  ['The landlord must be told of noise a week ahead.', 'What do we owe the owner of the building before loud work?'],
  ['Old laptops go to the school in Altona as a gift.', 'What happens with used computers?'],
  ['Interns get no access to customer data.', 'What are trainees not allowed to see?'],
];

/** German notes with German questions. */
export const GERMAN: readonly Labelled[] = [
  ['Frau Müller möchte gesiezt werden und legt Wert auf ihren Doktortitel.', 'Wie soll ich Dr. Mueller ansprechen?'],
  ['Frau Müller ist nur vormittags telefonisch erreichbar.', 'Wann kann ich Müller anrufen?'],
  ['Herr Krüger bekommt Rechnungen nur auf Papier.', 'In welcher Form geht die Rechnung an Krueger?'],
  [
    'Herr Krüger zahlt mit zwei Prozent Skonto innerhalb von zehn Tagen.',
    'Welchen Nachlass zieht Krüger bei schneller Zahlung ab?',
  ],
  [
    'Die Rechnungsadresse der Stadtwerke ist Postfach 1120 in Kiel.',
    'Wohin schicken wir die Rechnungen für die Stadtwerke?',
  ],
  ['Der Mietvertrag für das Lager läuft im Juni aus.', 'Wann endet die Miete der Lagerhalle?'],
  [
    'Die Steuerberaterin heißt Sabine Jäger und braucht Belege bis zum Fünften.',
    'Bis wann will Frau Jaeger die Unterlagen?',
  ],
  [
    'Bestellungen aus Österreich werden über das Lager in Linz ausgeliefert.',
    'Von wo wird nach Oesterreich geliefert?',
  ],
  ['Reklamationen beantwortet immer zuerst Thomas Schütz.', 'Wer kümmert sich um eine Reklamation?'],
  ['Der Betriebsausflug findet am letzten Freitag im September statt.', 'An welchem Tag ist der Ausflug?'],
  [
    'Die Geschäftsführung liest keine Anhänge; alles Wichtige muss im Text stehen.',
    'Was muss ich bei Mails an den Geschäftsführer beachten?',
  ],
  [
    'Für Dienstreisen gilt: Bahn zweiter Klasse, Hotel bis 120 Euro.',
    'Wie teuer darf ein Hotel auf einer Dienstreise sein?',
  ],
  ['Der Hausmeister Herr Özdemir hat die Schlüssel für den Keller.', 'Wer hat den Kellerschlüssel?'],
  ['Angebote sind bei uns dreißig Tage gültig.', 'Wie lange gilt ein Angebot?'],
  ['Jürgen Groß spricht kein Englisch.', 'Kann ich Juergen Gross auf Englisch schreiben?'],
  ['Spenden laufen nur über den Förderverein, nicht über die Firma.', 'Wer nimmt Spende und Quittung entgegen?'],
  ['Der Newsletter wird jeden ersten Montag verschickt.', 'Wann geht der Newsletter raus?'],
  ['Lieferanten bekommen Termine nur schriftlich bestätigt.', 'Wie bestätigen wir einen Liefertermin?'],
  ['Nach 18 Uhr antwortet der Notdienst unter der Nummer 4400.', 'Welche Nummer hat der Notdienst?'],
  ['Kundendaten werden nach zehn Jahren gelöscht.', 'Wie lange bewahren wir die Daten der Kunden auf?'],
  ['Die Übergabe der Wohnung ist am 30. April um neun Uhr.', 'Wann übergeben wir die Wohnung?'],
  ['Schulklassen zahlen im Museum keinen Eintritt.', 'Was kostet das Museum für eine Schulklasse?'],
  ['Für das Sommerfest bringt jede Abteilung einen Salat mit.', 'Was bringen die Abteilungen zum Fest mit?'],
  ['Die Betriebsärztin ist mittwochs im Haus.', 'An welchem Wochentag kommt die Ärztin?'],
];

/** German questions about English notes. */
export const ACROSS: readonly Labelled[] = [
  ['Yusuf Demir prefers WhatsApp for quick questions.', 'Wie erreiche ich Yusuf Demir am schnellsten?'],
  ['Zoe Hartmann receives her invoices by post.', 'Wie bekommt Zoe Hartmann ihre Rechnung?'],
  ['Walter Lang is the contact for the insurance of the cars.', 'Wofür ist Walter Lang zuständig?'],
  [
    'Ursula Beck wants to be asked before any change to the website.',
    'Wer muss vor Änderungen an der Webseite gefragt werden, Ursula Beck?',
  ],
  ['Viktor Haas gets a copy of every offer to Siemens.', 'Wer bekommt eine Kopie der Angebote an Siemens?'],
  ['Xenia Roth books all flights through Hansetour.', 'Wo bucht Xenia Roth Flüge?'],
];

/** Notes that no question asks for. */
export const OTHERS: readonly string[] = [
  'Anna Weber has two children at the school in Eimsbüttel.',
  'Anna Weber was promoted to head of logistics.',
  'Benjamin Whitaker likes hiking in Scotland.',
  'Carla Mendes presented the figures of the third quarter.',
  'David Okafor asked for a sample of the new cable.',
  'Elena Petrova speaks at the conference in Porto.',
  'Farid Haddad plays football on Wednesdays.',
  'Grace Kim studied in Seoul and Munich.',
  'Henry Adler has a boat on the Elbe.',
  'Ivan Sokolov ordered forty chairs last year.',
  'Julia Brandt introduced us to the bank.',
  'Project Falcon uses the controller of Nexwave.',
  'Project Heron got a new logo.',
  'Project Kestrel won a prize in Vienna.',
  'Project Osprey has nine developers.',
  'The user bought a bicycle in June.',
  'The user reads novels by Siri Hustvedt.',
  'The user was born in Bremen.',
  'The office in Hamburg has a roof terrace.',
  'The warehouse was painted green.',
  'Invoices are printed on paper with a watermark.',
  'The shop sells cables, adapters and chargers.',
  'The hospital has 900 beds.',
  'Customers in Switzerland like the professional line.',
  'Liam Byrne lives in Cork.',
  'Mona Fischer interviewed our founder.',
  'Noah Berg collects stamps.',
  'Olivia Grant recommended us to a friend.',
  'Peter Novak has worked here for twenty years.',
  'Karin Lund speaks Swedish.',
  'Frau Müller hat einen Hund.',
  'Herr Krüger kommt aus Rostock.',
  'Die Stadtwerke haben einen neuen Vorstand.',
  'Das Lager in Linz wurde renoviert.',
  'Der Betriebsrat tagt im Raum Pazifik.',
  'Jürgen Groß fährt Motorrad.',
  'Der Newsletter hat 3.000 Abonnenten.',
  'Das Museum zeigt eine Ausstellung über Schiffe.',
  'Die Abteilung Einkauf ist umgezogen.',
  'Der Förderverein wurde 1998 gegründet.',
  'Yusuf Demir is a photographer.',
  'Zoe Hartmann runs a bakery.',
  'Walter Lang repairs old radios.',
  'Viktor Haas visited the plant in Brno.',
  'Xenia Roth wrote a book about trains.',
  'Ursula Beck teaches yoga.',
];
