"""Write the eight documents of the folder `made`: genres that no Debian package has as a PDF.

    python make_foreign.py FOLDER

Every name, place, number and product in them is invented. Text form: `#` title, `##` heading, `###` lower heading,
`|` a row of a table, `---` a new page, an empty line ends a paragraph.
"""

import sys
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=13.5, spaceAfter=5)
CELL = ParagraphStyle("cell", parent=BODY, fontSize=9, leading=11, spaceAfter=0)
HEADS = {
    "#": ParagraphStyle("h1", parent=BODY, fontName="Helvetica-Bold", fontSize=16, leading=20, spaceAfter=9),
    "##": ParagraphStyle("h2", parent=BODY, fontName="Helvetica-Bold", fontSize=12, leading=15, spaceBefore=8),
    "###": ParagraphStyle("h3", parent=BODY, fontName="Helvetica-Oblique", fontSize=10.5, spaceBefore=4),
}
GRID = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
)

LEASE = """
# Residential Tenancy Agreement

Between **Marguerite Oakhurst** of 2 Quay Parade, Port Lanner (the "Landlord") and **Idris Fenwick** and **Tamsin
Fenwick** (together the "Tenant"), dated 3 February 2025.

## 1 The Premises

1.1 The Landlord lets to the Tenant the flat known as 3B Alder Court, Port Lanner, on the second floor, together with
the cellar room marked 3B and one parking bay marked 17 (the "Premises").

1.2 The loft above the Premises is not let. The Landlord keeps the key of the loft hatch.

1.3 The furniture listed in Schedule 1 is let with the Premises.

## 2 Term

2.1 The tenancy begins on 1 March 2025 and runs for a fixed term of eighteen months.

2.2 If neither party ends it under clause 14, the tenancy continues after the fixed term from month to month on the
same terms.

## 3 Rent

3.1 The rent is 1,140 crowns a month, payable in advance on or before the fifth day of each month by transfer to the
account named in Schedule 2.

3.2 The rent for the parking bay is contained in the rent under clause 3.1.

3.3 If any rent is unpaid for more than ten days after it has become due, the Tenant shall pay interest on the overdue
sum at 6 per cent a year from the due date until payment, and a reminder fee of 15 crowns for each written reminder,
but not more than two such fees in one calendar month.

3.4 The Landlord may raise the rent once in any period of twelve months, for the first time with effect from 1 March
2026, by giving two months' notice in writing. The increase shall not exceed the rise of the National Price Index over
the preceding calendar year, or 4 per cent, whichever is less.

## 4 Deposit

4.1 On signing, the Tenant pays a deposit of 2,280 crowns. The Landlord shall place it within fourteen days with an
approved deposit scheme and shall send the Tenant the certificate.

4.2 The Landlord may take from the deposit only (a) rent that is owed, (b) the cost of making good damage other than
fair wear and tear, and (c) the cost of cleaning under clause 8.6.

4.3 The deposit, or what remains of it with a written account of each deduction, shall be returned within twenty-one
days of the day on which the keys are handed back.

## 5 Outgoings

5.1 The Tenant pays for electricity, gas, telephone and internet. The Landlord pays for water, sewerage, the building
insurance and the chimney sweep.

5.2 Heating is supplied by the common boiler. Its cost is shared out once a year, 70 per cent by the meters on the
radiators and 30 per cent by floor area. The Landlord shall send the account by 30 June of the following year; a claim
for payment sent later is lost.

---

## 6 Use

6.1 The Premises shall be used as a private home only. The Tenant may carry on a quiet profession there that brings no
customers to the house and needs no sign at the door.

6.2 Not more than four persons may live in the Premises.

6.3 Musical instruments may be played between 9 am and 8 pm, but not between 1 pm and 3 pm, and for no more than two
hours a day.

6.4 Nothing may be stored in the stairwell. Perambulators and wheelchairs may stand under the stairs on the ground
floor.

## 7 Animals

7.1 Small animals kept in cages or tanks are allowed without consent, save that a tank may not hold more than 120
litres.

7.2 A dog or a cat may be kept only with the Landlord's prior consent in writing. Consent shall not be refused without
a good reason and may be withdrawn if the animal is a nuisance to the neighbours.

7.3 Dogs that are trained to guide a blind person or to assist a disabled person need no consent.

## 8 Repairs and care

8.1 The Landlord keeps in repair the structure, the roof, the outside, the drains, and the installations for water,
gas, electricity and heating.

8.2 The Tenant shall report damage without delay. If a leak is reported late, the Tenant bears the extra damage that
prompt notice would have prevented.

8.3 Small repairs to parts that the Tenant handles often, such as taps, switches, locks and blinds, are borne by the
Tenant up to 80 crowns in each case and 240 crowns in each year. If a repair costs more than 80 crowns, the Landlord
bears all of it.

8.4 The Tenant shall air the rooms at least twice a day and shall keep them at 15 degrees Celsius or more in winter,
so that mould does not form.

8.5 The Tenant shall not paint the window frames or the outer side of the entrance door.

8.6 At the end of the tenancy the Tenant leaves the Premises swept clean. Carpets need to be cleaned by a firm only if
a dog or a cat has been kept.

## 9 Alterations

9.1 The Tenant shall not alter the Premises without consent. Holes for pictures and shelves may be drilled in the
usual number, but not in the tiles; in bathrooms only the joints between tiles may be drilled.

9.2 The Tenant may at its own cost fit a grab rail, a ramp or another aid that a disability calls for; the Landlord
may ask for a further deposit of up to 500 crowns for its removal.

## 10 Subletting

10.1 The Tenant shall not sublet the whole of the Premises. One room may be sublet with consent. Letting to
holidaymakers, for however short a time, is forbidden.

## 11 Access

11.1 The Landlord may enter to inspect or to repair on forty-eight hours' notice in writing, on working days between
10 am and 6 pm.

11.2 No notice is needed in an emergency such as fire, flood or the smell of gas.

11.3 In the last two months of the tenancy the Tenant shall allow viewings by new tenants twice a week.

---

## 12 Insurance

12.1 The Landlord insures the building. The Tenant is advised to insure the contents; the Landlord's policy does not
cover them.

## 13 Keys

13.1 The Tenant receives three keys to the house, three to the flat and one to the cellar. A lost key must be reported
within one day. The Landlord may change the lock at the Tenant's cost if the finder could know to which door the key
belongs.

## 14 Ending the tenancy

14.1 During the fixed term the Tenant may end the tenancy early, with effect not before the end of the twelfth month,
by two months' notice in writing, if the Tenant (a) takes up work more than 60 kilometres from Port Lanner, or (b)
must move into a care home.

14.2 After the fixed term the Tenant may give one month's notice and the Landlord three months' notice, each to the
end of a calendar month.

14.3 The Landlord may end the tenancy at once if rent of two months or more is owed and remains unpaid fourteen days
after a written demand.

14.4 If one of the two persons who form the Tenant dies, the survivor may continue the tenancy alone or end it by one
month's notice given within three months of the death.

## 15 Disputes

15.1 Before going to court the parties shall try to settle a dispute before the Port Lanner Housing Mediator. The fee
of the mediator is shared equally.

## Schedule 1 Furniture

| Item | Number | State at hand-over |
| Oak table, 160 cm | 1 | one burn mark |
| Chairs | 6 | good, one reglued |
| Cooker, gas, four rings | 1 | new in 2023 |
| Refrigerator | 1 | door seal worn |
| Blinds | 9 | good |

## Schedule 2 Account

Account holder M. Oakhurst, Lanner Savings Bank, number 4471 0093 2218. Reference: ALDER 3B.
"""

ACT = """
# Allotment Gardens Act 2018

An Act to provide for allotment gardens, for the duties of local councils to supply them, and for connected purposes.
Passed on 12 July 2018.

## Part 1 Provision of plots

### 1 Meaning of "allotment garden"

(1) In this Act "allotment garden" means a parcel of land of not more than 400 square metres which is let to an
individual and is cultivated wholly or mainly for the growing of vegetables, fruit or flowers for the use of that
individual and the household.

(2) Land used for the keeping of livestock is not an allotment garden, except as section 11 provides.

### 2 Duty of councils

(1) A local council must provide enough allotment gardens to ensure that no person on its waiting list waits longer
than three years.

(2) Subsection (1) does not apply to a council whose area has fewer than 2,000 inhabitants.

(3) A council may meet the duty together with a neighbouring council, if the plots lie within five kilometres of the
boundary.

### 3 Waiting list

(1) Every council must keep a waiting list and must publish its length on the first day of April and of October.

(2) A person may be entered if the person is aged 16 or over and lives in the area of the council.

(3) Plots are to be offered in the order of entry, save that a person who cannot walk more than 200 metres unaided has
precedence for a plot with a paved path.

(4) A person who has refused two offers is to be removed from the list and may not be entered again for twelve months.

### 4 Acquisition of land

(1) A council may acquire land for allotment gardens by agreement.

(2) If no land can be had by agreement on reasonable terms, the council may, with the consent of the Minister, acquire
it by compulsory purchase, but not from a churchyard, a school ground or a nature reserve.

## Part 2 Letting

### 5 Form of letting

(1) A plot is let by a written agreement for an indefinite period.

(2) The agreement must contain a plan of the plot, the rent, and the particulars listed in Schedule 1.

### 6 Rent

(1) The rent is fixed by the council each year by 30 November for the following gardening year.

(2) The rent must not be more than what covers the council's costs of water, fencing, paths and management.

(3) A tenant who receives a state pension or an allowance for students pays half.

### 7 Gardening year

The gardening year begins on 1 February and ends on 31 January.

---

### 8 Duties of the tenant

(1) The tenant must keep at least two thirds of the plot under cultivation from the second gardening year on.

(2) The tenant must not (a) sublet the plot, (b) sell what is grown by way of a trade, (c) use barbed wire, or (d)
burn waste between 1 April and 30 September.

(3) The surplus of the harvest may be sold at a market of the allotment society up to a value of 600 crowns in a year.

### 9 Huts and greenhouses

(1) A tenant may put up one hut of a floor area of not more than 12 square metres and one greenhouse of not more than
10 square metres.

(2) The height of a hut must not exceed 2.6 metres at the ridge.

(3) Nobody may spend the night in a hut on more than ten nights in a year.

### 10 Trees

(1) Fruit trees on dwarfing stock may be planted not less than 2 metres from the boundary of the plot.

(2) Walnut, poplar and willow must not be planted.

### 11 Animals

(1) Hens, but no cock, and rabbits may be kept for the tenant's household, to a number of eight animals in all.

(2) Bees may be kept with the written consent of the council, which must hear the tenants of the adjoining plots
before it decides. Not more than three hives may stand on one plot.

### 12 Water

(1) The council must supply water to within 50 metres of every plot from 1 April to 31 October.

(2) Hoses must not be used between 10 am and 5 pm in July and August. Watering cans may be used at all times.

## Part 3 End of letting

### 13 Notice by tenant

The tenant may give notice at any time to the end of a month; rent paid in advance for a later time is to be paid
back.

### 14 Notice by council

(1) The council may give twelve months' notice, expiring between 1 October and 31 January, if the land is needed for
building, mining, or a public road.

(2) The council may give one month's notice if the tenant has been in breach of section 8 and has not put the breach
right within six weeks of a written warning.

(3) No notice may be given for the reason only that the tenant has moved to a place not more than 15 kilometres from
the boundary of the council's area.

### 15 Death of tenant

On the death of the tenant the letting passes to the spouse or to a child who has worked on the plot, if that person
asks for it within three months. Otherwise it ends on the next 31 January.

### 16 Compensation

(1) A tenant whose letting ends under section 14(1) is entitled to compensation for crops growing on the land, for
manure dug in during the last two years, and for the disturbance, which is fixed at one year's rent.

(2) A tenant whose letting ends under section 14(2) is entitled to compensation for growing crops only.

(3) The council may set off the cost of clearing a plot that was left in disorder.

---

## Part 4 Societies, offences and final provisions

### 17 Allotment societies

(1) The tenants of a site with ten plots or more may form an allotment society.

(2) If the society asks for it by a vote of two thirds of the tenants, the council must hand over to it the day-to-day
management of the site. The council remains answerable for fences and for water mains.

### 18 Inspector

(1) The Minister appoints an Inspector of Allotments, who holds office for six years and may be appointed once more.

(2) The Inspector reports to the Minister by the end of each March. The Minister must lay the report before Parliament
within thirty days.

### 19 Appeals

A person who is aggrieved by a decision of a council under this Act may appeal to the Inspector within twenty-eight
days. The Inspector's decision is final on facts; on a point of law an appeal lies to the county court.

### 20 Offences

(1) A person who without authority damages the crops or the fence of an allotment garden commits an offence and is
liable to a fine not exceeding 1,500 crowns.

(2) A person who obstructs the Inspector is liable to a fine not exceeding 800 crowns.

(3) It is a defence under subsection (1) to show that the act was necessary to save a person or an animal from harm.

### 21 Crown land

This Act does not bind the Crown in respect of land held for defence.

### 22 Transitional provision

A hut that was put up lawfully before this Act came into force and does not comply with section 9 may stay until it is
rebuilt, but not after 31 December 2035.

### 23 Repeal

The Smallholdings and Gardens Act 1931 is repealed, except its section 40 (drainage).

### 24 Commencement and short title

(1) This Act comes into force on 1 February 2019, save that section 18 comes into force on the day on which this Act
is passed.

(2) This Act may be cited as the Allotment Gardens Act 2018.

## Schedule 1 Particulars of the agreement

| No. | Particular | Section |
| 1 | Area of the plot in square metres | 1 |
| 2 | Rent and day of payment | 6 |
| 3 | Duties of the tenant | 8 |
| 4 | Name and address of the Inspector | 18 |
| 5 | Right of appeal and the time for it | 19 |
"""

MINUTES = """
# Minutes of the Harrowmere Town Council

Ordinary meeting held on Tuesday 14 October 2025 at 7 pm in the Corn Hall.

Present: Councillor Brannigan (Mayor, in the chair), Councillors Achterberg, Dunmore, Ekwueme, Foulkes, Greatorex,
Hallam, Ito and Jessop. In attendance: Ms R. Quillfeather (Town Clerk), Mr P. Standish (Borough Engineer), Mrs O. Lund
(Treasurer), eleven members of the public.

## 118/25 Apologies

Apologies were received from Councillor Kettleby (illness) and Councillor Moffat (work). The reason given by
Councillor Moffat was not accepted, as it was the third absence running.

## 119/25 Declarations of interest

Councillor Foulkes declared a pecuniary interest in item 124/25, being the owner of the field at Sallow Bottom, and
said that she would leave the room. Councillor Ito declared that his daughter rows for the boat club (item 126/25);
the Clerk advised that this was no bar to voting.

## 120/25 Minutes of the last meeting

The minutes of 9 September 2025 were approved with one correction: in 109/25 "14 benches" to read "4 benches".

## 121/25 Questions by the public

Mr Tolliver asked why the public lavatory in Tanner Street had been shut since June. The Engineer replied that the
drain had collapsed under a lime tree and that the contractor could not dig before the tree had been inspected; he
expected to open it again in the week before Christmas.

Mrs Abernethy asked whether the market could start an hour later in winter. The Mayor said that the stallholders had
been asked in spring and had been against it by 31 votes to 6.

## 122/25 Footbridge at Weir Lane

The Engineer presented three tenders for the renewal of the deck.

| Tenderer | Price (crowns) | Material | Weeks on site |
| Culverhouse Ltd | 184,600 | oak | 9 |
| Brightwater Structures | 171,250 | glass-fibre | 6 |
| Pell and Sons | 196,900 | steel grating | 7 |

The Engineer recommended the offer of Brightwater Structures because it could be built outside the spawning season of
the trout, which ends the working window on 15 February. Councillor Dunmore preferred oak for its looks.

**Resolved** by 6 votes to 2, Councillor Hallam abstaining: that the tender of Brightwater Structures be accepted,
with a reserve of 10 per cent for unforeseen work, and that the bridge be shut to walkers for not more than six weeks.

## 123/25 Speed limit in Mill Road

The Clerk reported that the county had counted 4,310 vehicles a day, of which 22 per cent were faster than 30 miles an
hour. The county would pay for signs, but not for humps.

**Resolved** unanimously: to ask the county for a limit of 20 miles an hour between the school and the fire station,
and to pay for two humps out of the reserve for road safety at a cost of 7,400 crowns.

---

## 124/25 Sallow Bottom playing field

Councillor Foulkes left the room at 8.05 pm.

The Treasurer explained that the lease of the field ends on 25 March 2027 and that the owner asks for a rise from 900
to 1,450 crowns a year. Councillor Greatorex said that the football club drew a hundred children each week. Councillor
Jessop held that the price was out of proportion.

**Resolved** by 5 votes to 3: to offer 1,200 crowns a year for ten years, the town to keep the right to end the lease
after five; the Mayor and the Treasurer to negotiate and to report back on 9 December. Councillor Foulkes returned at
8.31 pm.

## 125/25 Budget monitoring

The Treasurer reported for the half-year to 30 September.

| Heading | Budget | Spent | Forecast for the year |
| Parks and cemetery | 88,000 | 51,300 | 93,500 |
| Street lighting | 41,500 | 17,900 | 39,000 |
| Library | 62,000 | 30,400 | 62,000 |
| Winter service | 19,000 | 0 | 19,000 |

The overspending on parks was put down to the dry summer, in which two hundred young trees had to be watered by lorry.
It was **noted** that the saving on lighting, which comes from the new lamps, covers less than half of it.

**Resolved**: to move 4,000 crowns from the general reserve, which then stands at 112,700 crowns.

## 126/25 Grants

Six applications had been received for a fund of 9,000 crowns.

**Resolved**: to give 2,500 crowns to the Boat Club for a hoist for disabled rowers, 1,800 crowns to the Food Bank,
1,200 crowns to the Brass Band for mouthpieces, and 900 crowns to the Bat Group. The application of the Motor Club was
refused because no accounts had been enclosed, and that of the Harrowmere Players was put off to the January meeting
until the insurance of the stage is clear.

## 127/25 Christmas lights

The Clerk said that the switching-on is planned for Friday 28 November at 5.30 pm. The lights burn from dusk to 11 pm
and all night on 24 and 31 December. The hire of the tree costs 640 crowns and is paid by the Chamber of Trade.

## 128/25 Complaint about the crematorium car park

Held in private under standing order 3(d), because a member of staff could be named. The press and the public left at
8.58 pm.

**Resolved**: that the Clerk write to the complainant and that no further step be taken.

## 129/25 Next meeting

The next ordinary meeting is on Tuesday 11 November 2025 at 7 pm. Items for the agenda must reach the Clerk by noon on
31 October. The meeting closed at 9.12 pm.

Signed: S. Brannigan, Mayor. Minutes taken by R. Quillfeather.
"""

DATASHEET = """
# TQ7105 Step-Down Voltage Regulator

5 V to 36 V input, 1.5 A, fixed 400 kHz. Data sheet revision C, May 2024. Tarquin Semiconductor.

## 1 Features

Wide input range from 5 V to 36 V with transients up to 42 V. Output adjustable from 0.9 V to 24 V. Peak current mode
control with internal compensation. Quiescent current of 65 microamperes. Soft start of 4 ms. Automotive grade version
TQ7105A with extended temperature range.

## 2 Applications

Car radios and dashboard instruments, industrial sensors, set-top boxes, battery chargers with a lead-acid battery of
12 V or 24 V. The device is not released for use in life-support equipment or in aircraft.

## 3 Pin description

| Pin | Name | Function |
| 1 | BOOT | Supply of the high-side driver. Connect 100 nF between BOOT and SW. |
| 2 | VIN | Input. Place a ceramic capacitor of 10 uF or more not farther than 3 mm from the pin. |
| 3 | EN | Enable. Above 1.25 V the device runs. May be left open; an internal current of 1.2 uA pulls it up. |
| 4 | SS | Not connected inside. May be tied to ground. |
| 5 | FB | Feedback. Regulated to 0.800 V. |
| 6 | PG | Power good, open drain. Low when the output is below 91 per cent of its target. |
| 7 | GND | Ground. |
| 8 | SW | Switch node. Keep its copper area small. |
| - | PAD | Exposed pad on the underside, must be soldered to ground for cooling. |

## 4 Absolute maximum ratings

Stress beyond these values may destroy the device. They are not operating conditions.

| Parameter | Minimum | Maximum | Unit |
| VIN to GND | -0.3 | 42 | V |
| SW to GND, steady | -0.6 | VIN + 0.3 | V |
| SW to GND, shorter than 10 ns | -3.5 | 44 | V |
| EN to GND | -0.3 | 42 | V |
| FB, PG to GND | -0.3 | 6 | V |
| Junction temperature | -40 | 150 | deg C |
| Storage temperature | -65 | 165 | deg C |
| Soldering, 10 s | - | 260 | deg C |
| ESD, human body model | - | 2 | kV |

---

## 5 Electrical characteristics

At VIN = 12 V and a junction temperature of 25 degrees Celsius unless stated otherwise.

| Symbol | Parameter | Condition | Min | Typ | Max | Unit |
| VUVLO | Undervoltage lockout, rising | - | 4.1 | 4.3 | 4.6 | V |
| VHYS | Lockout hysteresis | - | - | 320 | - | mV |
| IQ | Quiescent current | no load, not switching | - | 65 | 95 | uA |
| ISD | Shutdown current | EN = 0 V | - | 1.8 | 4 | uA |
| VFB | Feedback voltage | -40 to 125 deg C | 0.788 | 0.800 | 0.812 | V |
| fSW | Switching frequency | - | 360 | 400 | 440 | kHz |
| RON | High-side resistance | - | - | 180 | 310 | mOhm |
| ILIM | Peak current limit | - | 2.1 | 2.6 | 3.1 | A |
| tON | Shortest on-time | - | - | 110 | 140 | ns |
| TSD | Thermal shutdown | rising | - | 165 | - | deg C |
| THYS | Thermal hysteresis | - | - | 18 | - | K |

## 6 Thermal data

| Package | Junction to ambient (K/W) | Junction to pad (K/W) | Board |
| SO-8 with pad | 46 | 5.5 | four layers, 1 W |
| SO-8 with pad | 71 | 5.5 | two layers, 1 W |
| DFN-8 3 x 3 mm | 52 | 4.1 | four layers, 1 W |

## 7 Application notes

### 7.1 Setting the output

The output is set by a divider: VOUT = 0.8 V x (1 + R1/R2). Choose R2 = 10 kOhm. For 3.3 V take R1 = 31.6 kOhm, for 5
V take R1 = 52.3 kOhm, and for 12 V take R1 = 140 kOhm.

### 7.2 Inductor

A ripple of 30 per cent of the load current is a good compromise. For an output of 5 V from 12 V at 1.5 A this gives
15 uH. The saturation current of the coil must be higher than the peak current limit of 3.1 A, or the coil will run
away in a short circuit.

### 7.3 Output capacitor

Use two ceramic capacitors of 22 uF, class X5R or X7R. Y5V types lose up to 80 per cent of their capacitance with
voltage and temperature and must not be used. Aluminium capacitors may be added, not put in their place.

### 7.4 Short circuit

When the feedback pin falls below 0.32 V the device enters hiccup mode: it stops for 48 ms and then tries to start
again. It recovers by itself once the fault has gone. The thermal shutdown does not latch either.

### 7.5 Layout

Keep the loop of input capacitor, switch and diode as short as possible. Route the feedback trace away from the SW
node and on another layer if one is free. Use at least nine vias of 0.3 mm below the pad.

---

## 8 Ordering information

| Order code | Package | Temperature range | Packing |
| TQ7105-SP | SO-8 with pad | -40 to 85 deg C | tube of 95 |
| TQ7105-SPR | SO-8 with pad | -40 to 85 deg C | reel of 2,500 |
| TQ7105-DFR | DFN-8 | -40 to 85 deg C | reel of 3,000 |
| TQ7105A-SPR | SO-8 with pad | -40 to 125 deg C | reel of 2,500 |

Moisture sensitivity level 2 for SO-8, level 1 for DFN-8. After a bag has been opened, parts of level 2 must be
soldered within one year when stored below 30 degrees Celsius and 60 per cent relative humidity.

## 9 Differences to the TQ7103

The TQ7105 has the same pins as the TQ7103, but pin 4, which there sets the soft start, is not used. Boards that have
a capacitor at pin 4 work without a change. The current limit is higher by 0.7 A, so the coil must be checked.

## 10 Revision history

| Revision | Date | Change |
| A | March 2022 | first issue |
| B | January 2023 | hiccup time corrected from 24 ms to 48 ms |
| C | May 2024 | DFN-8 package added; TQ7105A added |
"""

LEAFLET = """
# Package leaflet: information for the patient

**Calmiprol 10 mg and 20 mg film-coated tablets** (active substance: lamiprolol hydrochloride)

Read all of this leaflet carefully before you start taking this medicine. Keep it; you may need to read it again. This
medicine was prescribed for you only.

## 1 What Calmiprol is and what it is used for

Calmiprol belongs to a group of medicines called beta-blockers. It slows the heart beat and lowers the blood pressure.
It is used in adults to treat high blood pressure, to prevent attacks of angina, and to prevent migraine. It does not
help against a migraine attack that has already begun.

## 2 What you need to know before you take Calmiprol

### Do not take Calmiprol

if you are allergic to lamiprolol or to any of the other ingredients (section 6); if you have asthma or have had it;
if your pulse at rest is below 50 beats a minute; if you have a tumour of the adrenal gland that is not treated; if
you are in shock.

### Warnings and precautions

Talk to your doctor or pharmacist before taking Calmiprol if you have diabetes, because the medicine can hide the
racing heart that warns you of low blood sugar. Sweating is not hidden. Tell the doctor also if you have psoriasis,
cold fingers (Raynaud's disease), or kidney trouble.

Before an operation tell the anaesthetist that you take Calmiprol. Do not stop it on your own account.

Athletes: the active substance gives a positive result in doping tests.

### Children

Calmiprol is not to be given to children and adolescents under 18, because there is no experience with it in this age
group.

### Other medicines and Calmiprol

Do not take it together with verapamil. Tell your doctor if you take digoxin, clonidine, insulin, or eye drops with
timolol. If clonidine is to be stopped, Calmiprol must be stopped several days earlier. Painkillers such as ibuprofen
can weaken the effect on the blood pressure. Paracetamol may be taken.

### Calmiprol with food and alcohol

Take it with or after a meal. Grapefruit juice makes no difference. Alcohol can make you dizzy; drink no more than one
glass.

### Pregnancy and breast-feeding

Use in pregnancy only if the doctor holds it to be necessary. It should be stopped 72 hours before the expected birth.
The active substance passes into the milk; breast-feeding is not recommended.

### Driving

You may feel dizzy in the first two weeks. Do not drive until you know how the medicine affects you.

### Calmiprol contains lactose

If you have been told that you cannot digest some sugars, ask your doctor first.

---

## 3 How to take Calmiprol

| Use | Starting dose | Usual dose | Highest dose a day |
| High blood pressure | 10 mg once a day | 20 mg once a day | 40 mg |
| Angina | 10 mg twice a day | 20 mg twice a day | 60 mg |
| Migraine | 10 mg in the evening | 20 mg in the evening | 30 mg |

Swallow the tablet whole with half a glass of water, in the morning unless the table says otherwise. The 20 mg tablet
can be divided at the score line; the 10 mg tablet cannot.

Older people (over 75) and people with poor kidneys start with half the dose given in the table, which means half of a
20 mg tablet every second day for high blood pressure.

### If you take more than you should

Signs are a very slow pulse, faintness and trouble with breathing. Call the emergency doctor at once and keep the
pack. Do not try to be sick.

### If you forget a tablet

Take it as soon as you remember, unless it is less than eight hours to the next one. Never take a double dose.

### If you stop taking Calmiprol

Do not stop suddenly: chest pain or a heart attack may follow. The dose is to be lowered over two weeks at least,
halving it every five days.

## 4 Possible side effects

Like all medicines, this one can have side effects, although not everybody gets them.

| How often | Effect |
| Very common (more than 1 in 10) | tiredness, cold hands and feet |
| Common (up to 1 in 10) | slow pulse, vivid dreams, stomach ache, dizziness on rising |
| Uncommon (up to 1 in 100) | low mood, cramps, wheezing, impotence |
| Rare (up to 1 in 1,000) | dry eyes, hair loss, rash like psoriasis |
| Not known | hallucinations |

Dry eyes matter if you wear contact lenses. See a doctor at once if you wheeze, if you faint, or if your ankles swell.

## 5 How to store Calmiprol

Keep out of the sight and reach of children. Do not store above 25 degrees Celsius. Keep the blister in the carton,
since the tablets fade in light. Do not use after the date on the carton. Once the bottle of 250 tablets for clinics
has been opened, it may be used for three months. Do not throw tablets into the sink; take them to a pharmacy.

## 6 Contents of the pack and other information

Each tablet contains 10 mg or 20 mg of lamiprolol hydrochloride. The other ingredients are lactose monohydrate, maize
starch, povidone, magnesium stearate and, in the coat, hypromellose and iron oxide red (20 mg only).

The 10 mg tablet is round and white; the 20 mg tablet is oval and pink. Packs hold 28, 56 or 98 tablets. Not all pack
sizes may be sold.

Holder of the licence: Brisk and Farrow Laboratories, Port Lanner. Maker: Apotek Sund, Holmvik. This leaflet was last
revised in September 2024.
"""

RECIPES = """
# Suppers from the Harbour Kitchen

Recipes of the evening class, collected by Wilhelmina Tregarthen. Every dish serves four unless it says otherwise. A
cup holds 240 ml; spoons are level.

## Fish pie with leeks

600 g of smoked haddock, 2 leeks, 900 g of floury potatoes, 400 ml of milk, 50 g of butter, 40 g of flour, 2 boiled
eggs, nutmeg.

Poach the fish in the milk for eight minutes with the lid on and keep the milk. Soften the leeks in half of the
butter, stir in the flour, then pour on the milk little by little. Flake the fish into a dish, lay the eggs in
quarters over it, cover with the sauce and with mashed potato. Bake at 200 degrees for 35 minutes, until the peaks are
brown.

Do not salt the sauce before you have tasted it: the fish brings enough. The pie can be made up a day ahead and kept
cold; it then needs fifteen minutes longer.

## Barley soup with kale

150 g of pearl barley, 1 onion, 2 carrots, 1.5 litres of stock, 200 g of kale, 1 rind of hard cheese.

Soak the barley for two hours. Fry onion and carrots, add barley, stock and rind, and simmer for 45 minutes. Add the
kale, cut into ribbons, for the last ten. Take out the rind.

The soup thickens overnight, as the grain goes on drinking; thin it with water, not with stock, or it gets too salty.
Keeps three days in the refrigerator and freezes badly.

## Lentils with sausages

300 g of green lentils, 8 pork sausages, 1 celery stick, 1 glass of red wine, 2 bay leaves, 1 tablespoon of mustard.

Brown the sausages and set them aside. Fry the celery in their fat, add lentils, wine, bay and 700 ml of water. Simmer
for 25 minutes, put the sausages back for ten more, and stir in the mustard off the heat. Salt at the end only: salt
in the water keeps the skins hard. Without meat, use 300 g of smoked tofu and two spoons of oil.

## Chicken in cider

1 chicken in eight pieces, 12 shallots, 500 ml of dry cider, 150 ml of cream, 2 apples, thyme.

Flour the pieces and fry them skin side down for ten minutes. Add the shallots whole, the thyme and the cider and cook
under a lid for forty minutes at a bare simmer. Fry the apples in slices. Take the pot off the fire before the cream
goes in, otherwise it splits. The meat is done when the juice of the thigh runs clear, or at 75 degrees on the probe.

---

## Potato dumplings

1 kg of floury potatoes, 180 g of potato starch, 1 egg, salt. Makes twelve, enough for six.

Boil the potatoes in their skins the day before. Peel, rice and knead them with starch, egg and salt only until the
dough holds together; long kneading makes it sticky. Wet your hands and shape twelve balls. Put a fried cube of bread
inside each. Let them steep, not boil, in salted water for twenty minutes. They are ready when they have risen and
turned over.

Try one first. If it falls apart, work another two spoons of starch into the rest.

## Beetroot salad with horseradish

500 g of beetroot, 1 apple, 2 tablespoons of grated horseradish, 3 tablespoons of vinegar, 4 tablespoons of rape oil,
a pinch of caraway.

Boil the roots unpeeled with two fingers of stalk left on, so that they do not bleed, for 50 minutes. Slip off the
skins under cold water. Slice, dress while warm and let stand for two hours at least. Wear gloves or rub your hands
with lemon.

## Cheese scones

225 g of self-raising flour, 1 teaspoon of baking powder, 50 g of cold butter, 120 g of strong cheddar, 110 ml of
milk, cayenne. Makes ten.

Rub in the butter, add cheese and milk, and press the dough out to a thickness of 2.5 cm. Cut straight down without a
twist of the cutter, or they rise crooked. Bake at 220 degrees for 12 minutes. Best on the day; on the next they want
five minutes in a hot oven.

## Plum tart

For the dough: 250 g of flour, 125 g of butter, 75 g of sugar, 1 egg. For the top: 1 kg of plums, 2 tablespoons of
crumbs, cinnamon.

Chill the dough for one hour. Line a tin of 28 cm, strew the crumbs, which soak up the juice, and stand the plums
upright in rings. Bake at 190 degrees for 45 minutes. Sugar the plums after baking, since sugar draws out water in the
oven. Frozen plums go in without thawing and need ten minutes more.

## Table of oven heats

| Gas mark | Electric (deg C) | With fan (deg C) | Called |
| 2 | 150 | 130 | slow |
| 4 | 180 | 160 | moderate |
| 6 | 200 | 180 | fairly hot |
| 7 | 220 | 200 | hot |

## For people who must avoid something

| Dish | Without gluten | Without milk | Without egg |
| Fish pie with leeks | use rice flour | use oat drink and oil | leave out |
| Barley soup with kale | not possible | leave out the rind | yes |
| Lentils with sausages | check the sausages | yes | yes |
| Potato dumplings | leave out the bread | yes | not possible |
| Plum tart | not tried | use margarine | not tried |
"""

CONTRACT = """
# Framework Agreement for the Supply of Sawn Timber

Number 2025-117, between **Skarsfell Sawmills AS**, Holmvik (the "Supplier") and **Nettlebed Furniture Ltd**,
Harrowmere (the "Buyer").

## Article 1 Definitions

"Goods" means sawn timber of the grades listed in Annex A. "Call-off" means an order in writing under Article 3.
"Working Day" means a day on which banks are open in both Holmvik and Harrowmere. "Lot" means the Goods delivered with
one delivery note.

## Article 2 Subject and term

2.1 The Supplier sells and the Buyer buys Goods as called off. The agreement is in force from 1 January 2026 to 31
December 2028.

2.2 It is prolonged by one year unless one party objects in writing six months before its end. It can be prolonged
twice at most.

2.3 The Buyer undertakes to call off at least 1,800 cubic metres in each calendar year. If the Buyer takes less, it
pays 12 per cent of the price of the missing quantity, and nothing else.

## Article 3 Call-offs

3.1 By the twentieth day of each month the Buyer sends a forecast for the following three months. The forecast is not
binding.

3.2 A Call-off binds the Supplier if it refuses it not within three Working Days and if the quantity does not exceed
the forecast for that month by more than 15 per cent.

3.3 The smallest Call-off is one lorry load of 38 cubic metres.

## Article 4 Delivery

4.1 Goods are delivered free at the Buyer's yard, Gate 4, on Working Days from 7 am to 3 pm. The driver announces the
lorry by telephone one hour before.

4.2 The time of delivery is fifteen Working Days from the Call-off, in July twenty-five.

4.3 If the Supplier is late it pays liquidated damages of 0.5 per cent of the price of the late Goods for each full
day, up to 8 per cent. Further damages are excluded, save for intent or gross negligence.

4.4 If a delay lasts longer than thirty days the Buyer may buy elsewhere and count that quantity towards Article 2.3.

## Article 5 Quality and inspection

5.1 The moisture on delivery shall be 8 to 10 per cent for oak and 10 to 12 per cent for pine, measured with a
resistance meter at 15 boards of each Lot at one third of the length.

5.2 The Buyer inspects each Lot within seven Working Days and gives notice of visible defects at once. Hidden defects
may be notified within nine months of delivery.

5.3 A Lot may be rejected as a whole if more than 5 per cent of the boards are outside the grade. Otherwise the
Supplier replaces the single boards within ten Working Days.

5.4 If the parties do not agree on a defect, the Timber Institute at Holmvik decides. The party that is found wrong
bears the fee.

---

## Article 6 Prices and payment

6.1 The prices are in Annex A. They are fixed until 31 December 2026 and are then adjusted on 1 January of each year
by the change of the Northern Sawlog Index, but by no more than 7 per cent up or down.

6.2 Invoices fall due thirty days after receipt. For payment within ten days the Buyer may take off 2 per cent.

6.3 On late payment interest of 9 per cent a year is owed without a reminder.

6.4 The Buyer may set off only claims that are undisputed or have been decided by a court.

## Article 7 Title and risk

7.1 The Goods remain the property of the Supplier until they have been paid for in full. The Buyer may work them up in
the ordinary course of business.

7.2 The risk passes when the lorry has been unloaded.

## Article 8 Origin of the wood

8.1 The Supplier warrants that all logs come from forests certified under the Boreal Stewardship Scheme and shall name
the parish of felling on each delivery note.

8.2 The Buyer or its auditor may inspect the Supplier's log yard twice a year on five Working Days' notice.

8.3 If uncertified wood is found, the Buyer may return it at the Supplier's cost and the Supplier pays a penalty of
25,000 crowns in each case.

## Article 9 Force majeure

9.1 Storm, fire, strike and orders of authorities free a party for as long as they last, if it gives notice within
five Working Days. A breakdown of machines, the loss of a driver and a rise of the price of logs do not count.

9.2 If the hindrance lasts longer than ninety days, either party may end the agreement.

## Article 10 Liability

10.1 Except for injury to persons and for intent, the liability of each party is limited to 400,000 crowns in each
calendar year. Loss of profit is not made good.

10.2 Each party keeps a liability insurance of not less than 2 million crowns and proves it each January.

## Article 11 Confidentiality

Prices and forecasts are to be kept secret during the term and for four years after. The duty does not cover what is
publicly known or what a court orders to be disclosed.

## Article 12 Termination for cause

12.1 Either party may end the agreement at once if the other becomes insolvent, or commits a serious breach and does
not put it right within twenty Working Days of a warning.

12.2 Three rejected Lots in one calendar quarter are a serious breach by the Supplier.

12.3 A change of the owners of the majority of the shares of a party entitles the other to end the agreement by three
months' notice.

## Article 13 Law and arbitration

13.1 The law of the Supplier's country applies, without the UN sales convention. Disputes are decided by one
arbitrator under the rules of the Holmvik Chamber of Commerce. The place is Port Lanner and the language is English.

## Annex A Grades and prices (crowns per cubic metre)

| Code | Wood | Thickness (mm) | Grade | Price |
| OA-27 | oak | 27 | prime | 1,190 |
| OB-27 | oak | 27 | rustic | 860 |
| OA-52 | oak | 52 | prime | 1,345 |
| PI-32 | pine | 32 | joinery | 410 |
| PI-50 | pine | 50 | joinery | 428 |

## Annex B Persons to contact

| Matter | Supplier | Buyer |
| Call-offs | Ms Torvaldsen | Mr Pettigrew |
| Complaints | Mr Haug | Ms Adeyemi |
| Invoices | Ms Lien | Mr Oyelaran |
"""

MACHINE = """
# Bottling machine RB-24: maintenance manual

Rundqvist Filling Technology. Document 4.118, issue 6, valid from serial number 30512.

## 1 Safety

1.1 Only trained persons may work on the machine. Electrical work is reserved to electricians.

1.2 Before any work turn the main switch Q1 to 0, lock it with a padlock, shut the air valve V3 and wait five minutes
until the capacitors of the drive have discharged.

1.3 Never open the guard doors while the carousel turns. The door switches S11 to S14 must not be bridged, not even
for setting up; for that use jog mode at 3 turns a minute with the enabling button held.

1.4 Wear goggles and gloves of nitrile when you handle the cleaning lye. If lye gets into the eyes, rinse for fifteen
minutes and see a doctor.

1.5 The noise at the operator's place is 79 dB(A). Hearing protection is not required there but is required inside the
cabin, where it reaches 88 dB(A).

## 2 Technical data

| Item | Value |
| Filling heads | 24 |
| Output, 0.75 l bottle | 6,000 bottles an hour |
| Output, 0.33 l bottle | 7,200 bottles an hour |
| Bottle height | 160 to 350 mm |
| Compressed air | 6 bar, 420 litres a minute |
| Supply | 400 V, 50 Hz, 9.5 kW |
| Water for rinsing | 0.8 cubic metres an hour |
| Weight, empty | 3,150 kg |
| Permitted room temperature | 5 to 38 degrees Celsius |

## 3 Schedule of maintenance

| Interval | Part | Work | See |
| every shift | filling valves | rinse, check for drips | 4.1 |
| daily | photo eyes B5, B6 | wipe with a dry cloth | 4.2 |
| 50 hours | lifting cylinders | grease, 2 strokes each | 5.1 |
| 250 hours | main chain | check the sag | 5.2 |
| 500 hours | gear box | check the oil level | 5.3 |
| 2,000 hours | valve seals | replace the set 24-0711 | 4.3 |
| 4,000 hours | gear box | change the oil | 5.3 |
| yearly | safety devices | test and enter in the log | 6 |

---

## 4 Filling valves and sensors

4.1 Rinsing. Push the dummy bottles onto the heads, choose program 3 at the panel and let hot water of 85 degrees run
for twelve minutes. A valve that drips more than five drops a minute afterwards needs new seals.

4.2 Photo eyes. Do not use alcohol: it makes the acrylic lens cloudy. The yellow lamp at the eye must be steady when
the beam is free. If it flickers, turn the set screw to the right until it stops.

4.3 Changing the valve seals. (1) Empty the bowl and shut V1. (2) Unscrew the centring bell by hand; it has a
left-hand thread. (3) Pull the stem downwards. (4) Take off the old rings with a wooden tool; a metal one scores the
groove. (5) Wet the new rings with water, never with grease, since grease kills the foam of beer. (6) Fit in the
reverse order and tighten the bell to 12 Nm. (7) Run twenty bottles and weigh five of them.

4.4 Filling height. One turn of the vent tube alters the height by 1.5 mm. Turn to the right for less.

## 5 Drive

5.1 Grease. Use grease of food grade NSF H1 only. Wipe off what comes out of the bellows. Too much grease bursts the
bellows.

5.2 Chain. At the middle of the free run the sag shall be 10 to 15 mm under a load of 50 N. Tighten by the nut M16 at
the idler. Replace the chain when it is 2 per cent longer than new, that is when 20 links measure 518 mm or more.

5.3 Gear box. The level stands at the middle of the glass with the machine cold and at rest. Fill 3.2 litres of
synthetic oil ISO VG 220. The first change is due after 300 hours, because of the metal dust of running in.

5.4 Belt of the pump. Replace in pairs. The belt is tight when it can be pressed in by a thumb's breadth.

## 6 Yearly test of the safety devices

Open each door in jog mode: the carousel must stop within one quarter of a turn. Press each of the five emergency stop
buttons: the drive must be dead within 0.5 seconds. The test is made by the plant's safety officer and signed; the log
is kept for ten years.

---

## 7 Faults

| Message | Cause | Remedy |
| E07 bottle jam | star wheel out of step | turn by hand, set to mark 0, reset |
| E12 low air | filter clogged, or supply below 5 bar | drain or replace the filter |
| E15 bowl overfull | float stuck | knock lightly on the bowl, rinse with program 5 |
| E21 drive hot | fan mat dirty | clean the mat, wait until below 60 degrees |
| E33 door open | door S13 not home | shut, check the distance of 2 mm |
| E40 no enable | key switch in position 2 | turn to 1 |

7.1 If the bottles are filled unevenly although the seals are new, check first that the bowl is level: the spirit
level on the lid must not be off by more than one mark.

7.2 If bottles break at the infeed, the screw comes too early. Set it back by one tooth of the belt; one tooth equals
4 mm.

## 8 Laying up

When the machine is to stand for more than six weeks: rinse with program 4 (lye) and program 3, blow out with air,
open all the valves, slacken the belts, and spray bare steel with wax oil. Leave the cabinet heating on, to keep the
electronics dry. Below 5 degrees drain the pump.

## 9 Spare parts

| Number | Part | On the machine | Advised stock |
| 24-0711 | set of seals for one valve | 24 | 6 |
| 24-0720 | centring bell | 24 | 2 |
| 30-1150 | main chain, 6.4 m | 1 | 1 |
| 31-0042 | belt, pump | 2 | 2 |
| 60-2205 | photo eye B5/B6 | 2 | 1 |
| 60-3311 | door switch | 4 | 1 |

Orders by 2 pm leave on the same day. Parts of glass and rubber are excluded from the warranty of twenty-four months.

## 10 Disposal

Used oil and lye are hazardous waste. The battery in the cabinet (lithium, CR2450) must be taken out before scrapping.
It should be changed every five years; change it with the main switch on, or the recipes are lost.
"""

DOCUMENTS = {
    "lease": LEASE,
    "allotment_act": ACT,
    "council_minutes": MINUTES,
    "tq7105_data_sheet": DATASHEET,
    "calmiprol_leaflet": LEAFLET,
    "recipes": RECIPES,
    "timber_contract": CONTRACT,
    "bottling_machine": MACHINE,
}


def paragraph(text: str, style: ParagraphStyle) -> Paragraph:
    """A paragraph; what stands between two `**` is printed bold."""
    parts = escape(text).split("**")
    return Paragraph("".join(f"<b>{part}</b>" if i % 2 else part for i, part in enumerate(parts)), style)


def flowables(text: str, width: float) -> list:
    """The blocks of one document, in their order."""
    story: list = []
    for block in text.strip().split("\n\n"):
        lines = block.split("\n")
        mark = lines[0].split(" ", 1)[0]
        if block == "---":
            story.append(PageBreak())
        elif lines[0].startswith("|"):
            rows = [[paragraph(cell.strip(), CELL) for cell in line.strip("| ").split(" | ")] for line in lines]
            story += [Table(rows, [width / len(rows[0])] * len(rows[0]), style=GRID, repeatRows=1), Spacer(1, 6)]
        elif mark in HEADS:
            story.append(paragraph(block[len(mark) + 1 :], HEADS[mark]))
        else:
            story.append(paragraph(" ".join(lines), BODY))
    return story


def number(canvas: Canvas, document: SimpleDocTemplate) -> None:
    """The page number at the foot."""
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(A4[0] / 2, 10 * mm, f"{document.title} - page {canvas.getPageNumber()}")


def main() -> None:
    """Write all documents into the folder named on the command line."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in DOCUMENTS.items():
        margins = {"leftMargin": 25 * mm, "rightMargin": 25 * mm, "topMargin": 20 * mm, "bottomMargin": 20 * mm}
        document = SimpleDocTemplate(
            str(folder / f"{name}.pdf"), pagesize=A4, title=name.replace("_", " "), invariant=1, **margins
        )
        document.build(flowables(text, document.width), onFirstPage=number, onLaterPages=number)


if __name__ == "__main__":
    main()
