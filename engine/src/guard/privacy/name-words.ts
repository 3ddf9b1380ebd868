/**
 * The words of the rules for names, in English, German, French and Spanish, without accents and in lower case (`plainOf`).
 * docs/private-data.md lists the ones that people meet; a test compares the two.
 */

const split = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(', '));

/** After one of these comes a name: "email to karthik". */
export const KEYWORDS: readonly string[] = split(
  'email, email to, e mail, e mail to, mail, mail to, send to, sent to, write, write to, reply to, respond to, answer to',
  'message, message to, text, text to, call, phone, ring, ask, tell, remind, ping, invite, contact, cc, bcc, forward to',
  'meet, meet with, meeting with, met with, lunch with, call with, chat with, speak to, speak with, spoke to, spoke with',
  'talk to, talk with, talked to, talked with, schedule with, appointment with, introduce, thank, congratulate, draft to',
  'mail an, email an, e mail an, nachricht an, antwort an, schreib, schreib an, schreibe, schreibe an, frag, frage, sag, ruf',
  'treffen mit, termin mit, gesprach mit, sprich mit, erinnere, informiere, kontaktiere, antworte, weiterleiten an, anruf bei',
  'mail a, email a, courriel a, message a, ecris a, ecrire a, reponds a, repondre a, appelle, appeler, demande a, dis a',
  'rendez vous avec, reunion avec, rappelle a, contacte, invite a, parle a, parle avec, transfere a',
  'correo a, correo para, mensaje a, mensaje para, escribe a, escribir a, responde a, responder a, llama a, llamar a',
  'pregunta a, dile a, reunion con, cita con, recuerda a, avisa a, contacta a, contacta con, habla con, reenvia a',
);

/** What people are at work: these words stay, and a name beside one is a name: "karthik my cfo". */
export const ROLES: readonly string[] = split(
  'ceo, cfo, cto, coo, cio, cmo, cpo, ciso, chairman, chairwoman, chair, president, founder, cofounder, owner, partner',
  'boss, manager, director, head, lead, supervisor, executive, vp, secretary, assistant, accountant, bookkeeper, auditor',
  'controller, treasurer, lawyer, attorney, solicitor, notary, engineer, developer, designer, architect, consultant, analyst',
  'salesperson, recruiter, colleague, coworker, teammate, client, customer, supplier, vendor, landlord, tenant, doctor',
  'dentist, nurse, therapist, teacher, professor, tutor, coach, trainer, editor, producer, agent, broker, contractor, intern',
  'trainee, administrator, admin, coordinator, specialist, officer, clerk, technician, representative, husband, wife, friend',
  'brother, sister, mother, father, mom, mum, dad, son, daughter, uncle, aunt, cousin, neighbour, neighbor, roommate',
  'chef, chefin, vorgesetzter, vorgesetzte, geschaftsfuhrer, geschaftsfuhrerin, leiter, leiterin, abteilungsleiter',
  'abteilungsleiterin, direktor, direktorin, vorstand, buchhalter, buchhalterin, steuerberater, steuerberaterin, anwalt',
  'anwaltin, kollege, kollegin, kunde, kundin, mitarbeiter, mitarbeiterin, assistent, assistentin, sekretar, sekretarin',
  'entwickler, entwicklerin, berater, beraterin, vermieter, vermieterin, arzt, arztin, zahnarzt, lehrer, lehrerin, freund',
  'freundin, mann, frau, bruder, schwester, mutter, vater, sohn, tochter, nachbar, nachbarin, ansprechpartner',
  'ansprechpartnerin, patron, patronne, directeur, directrice, chef, cheffe, gerant, gerante, responsable, comptable, avocat',
  'avocate, collegue, client, cliente, fournisseur, assistante, secretaire, ingenieur, ingenieure, medecin, docteur',
  'proprietaire, locataire, mari, femme, ami, amie, frere, soeur, mere, pere, fils, fille, voisin, voisine',
  'jefe, jefa, gerente, directora, contable, contador, contadora, abogado, abogada, colega, companero, companera',
  'proveedor, proveedora, asistente, secretaria, secretario, ingeniero, ingeniera, desarrollador, desarrolladora, medico',
  'medica, casero, casera, marido, esposo, esposa, mujer, amigo, amiga, hermano, hermana, madre, padre, hijo, hija, vecino',
  'vecina, socio, socia, dueno, duena, encargado, encargada',
);

/** Before a role: "karthik my cfo". */
export const OWNERS: readonly string[] = split(
  'my, our, your, his, her, their, the, mein, meine, unser, unsere, euer, eure, dein, deine, der, die, mon, ma, notre, votre, ton',
  'ta, son, sa, le, la, mi, nuestro, nuestra, tu, su, el',
);

/** Between a name and "my cfo": "karthik who is my cfo". */
export const WHO_IS: readonly string[] = split(
  'who is, who s, whos, who was, who will be, qui est, que es, quien es, der, die',
);

/** Before a name. */
export const TITLES: readonly string[] = split(
  'mr, mrs, ms, miss, mister, mx, dr, doctor, prof, professor, sir, madam, lord, lady, judge, senator, herr, herrn, frau, hr, dipl ing',
  'monsieur, madame, mademoiselle, mme, mlle, m, maitre, me, senor, senora, senorita, sr, sra, srta, dona, don',
);

/** At the begin of a line, before a name. */
export const GREETINGS: readonly string[] = split(
  'hi, hello, hey, dear, hiya, howdy, greetings, good morning, good afternoon, good evening, morning, hi there',
  'hallo, liebe, lieber, liebes, sehr geehrte, sehr geehrter, geehrte, geehrter, guten tag, guten morgen, guten abend, moin',
  'servus, gruss gott, gruezi, werte, werter, verehrte, verehrter, hallo liebe, hallo lieber',
  'bonjour, bonsoir, salut, cher, chere, coucou, tres cher, tres chere, chers, cheres, bonjour cher, bonjour chere',
  'hola, estimado, estimada, estimados, estimadas, querido, querida, buenos dias, buenas tardes, buenas noches, apreciado',
  'apreciada, buen dia, muy buenas, hola querido, hola querida',
);

/** Before a name that ends a sentence or a line: "Thanks, Anna". */
export const THANKS: readonly string[] = split(
  'thanks, thank you, many thanks, thanks a lot, thx, ty, sorry, congratulations, congrats, welcome, danke, vielen dank, dankeschon',
  'merci, merci beaucoup, gracias, muchas gracias, felicidades, bravo, gluckwunsch, willkommen, bienvenue, bienvenido, bienvenida',
);

/** At the end of a mail, before the name of who wrote it. */
export const SIGN_OFFS: readonly string[] = split(
  'best, best regards, kind regards, warm regards, warmest regards, regards, best wishes, all the best, cheers, thanks, thank you',
  'many thanks, thanks in advance, thanks and regards, thanks again, sincerely, sincerely yours, yours, yours sincerely',
  'yours truly, yours faithfully, respectfully, warmly, cordially, love, xo, xoxo, take care, talk soon, speak soon, see you',
  'see you soon, have a great day, have a nice day, br, kr, rgds, with kind regards, with best regards, signed, sent by',
  'mit freundlichen grussen, mit freundlichem gruss, freundliche grusse, mit besten grussen, beste grusse, bester gruss',
  'viele grusse, vielen dank, danke, liebe grusse, lieben gruss, herzliche grusse, herzlichst, schone grusse, mit herzlichen grussen',
  'gruss, grusse, lg, vg, mfg, bg, bis bald, bis dann, hochachtungsvoll, ihr, ihre, euer, eure, dein, deine, gezeichnet, gez',
  'cordialement, bien cordialement, tres cordialement, sinceres salutations, salutations distinguees, salutations, bien a vous',
  'bien a toi, amicalement, amities, a bientot, a plus, bises, bisous, merci, merci d avance, respectueusement, cdlt, cdt',
  'saludos, saludos cordiales, un saludo, un cordial saludo, atentamente, muy atentamente, cordialmente, un abrazo, abrazos',
  'besos, un beso, hasta pronto, hasta luego, gracias, muchas gracias, gracias de antemano, respetuosamente, sds',
);

/** Before the name of who speaks or is meant. */
export const NAMINGS: readonly string[] = split(
  'my name is, name is, call me, named, signed by, on behalf of, written by, sent by',
  'ich heisse, mein name ist, name ist, hier spricht, heisst, namens, im auftrag von',
  'je m appelle, mon nom est, s appelle, nomme, nommee, de la part de',
  'me llamo, mi nombre es, se llama, llamado, llamada, de parte de',
);

/** Before a name or something else: "I am Karthik", "I am Student". */
export const WEAK_NAMINGS: readonly string[] = split('i am, i m, this is, ich bin, hier ist, je suis, ici, soy, habla');

/** Labels of a line, before a colon and a name. */
export const NAME_LABELS: readonly string[] = split(
  'name, full name, first name, last name, surname, given name, family name, maiden name, contact, contact person, customer, client, patient, employee',
  'applicant, passenger, guest, participant, participants, attendees, attendee, organizer, author, sender, recipient, signed, attn, attention',
  'billing address, shipping address, delivery address, bill to, ship to, from, to, cc, bcc, account holder, card holder, cardholder, beneficiary',
  'vorname, nachname, familienname, kontakt, ansprechpartner, ansprechpartnerin, kunde, kundin, teilnehmer, absender, empfanger, von, an',
  'kontoinhaber, karteninhaber, rechnungsadresse, lieferadresse, rechnungsanschrift, lieferanschrift, z hd, zu handen, bearbeiter, mieter',
  'nom, prenom, nom complet, nom de famille, destinataire, expediteur, de, a, titulaire, adresse de facturation, adresse de livraison, a l attention de',
  'nombre, apellido, apellidos, nombre completo, contacto, cliente, destinatario, remitente, para, titular, direccion de facturacion, direccion de envio, a la atencion de',
);

/** After a single name, what people do and firms seldom do. */
export const PERSON_VERBS: readonly string[] = split(
  'asked, asks, told, tells, wrote, writes, replied, replies, thinks, thought, wants, wanted, lives, lived, mentioned, called, calls',
  'explained, explains, phoned, texted, emailed, laughed, smiled, joined, left, agreed, suggested, suggests, said, says, knows',
  'schrieb, schreibt, fragte, fragt, sagte, sagt, meinte, meint, mochte, wohnt, antwortete, bat, rief, hat, ist, ecrit, demande, dit, pense',
  'habite, souhaite, repondu, escribio, escribe, pregunto, pregunta, dijo, dice, quiere, vive, respondio, piensa, llamo',
);

/** After a name and `'s`, what people have and firms have not. */
export const PERSON_BELONGINGS: readonly string[] = split(
  'birthday, wedding, funeral, family, kids, children, parents, house, flat, desk, calendar, diary, salary, vacation, holiday, leave',
  'absence, cv, resume, opinion, illness, health, laptop, inbox, handwriting, signature, suggestion, apology, farewell',
);

/** After a name and `'s`, in any case, how somebody is reached: "karthik's number". Firms that nobody knows have these too. */
export const CONTACT_WORDS: readonly string[] = split(
  'number, numbers, phone, telephone, mobile, cell, cellphone, landline, voicemail, extension, whatsapp, email, e, inbox',
);

/** Parts of names that are written small. */
export const PARTICLES: ReadonlySet<string> = new Set(
  split(
    'von, van, der, den, de, del, della, di, da, dos, das, du, la, le, zu, zur, zum, ter, ten, bin, ibn, al, el, y, e, af, av, vom',
  ),
);
