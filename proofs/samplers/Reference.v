(** The samplers of [indistinct_sampling] that work in whole fractions, as programs over fair bits, bit for bit: the same
    bits, drawn in the same order, give the same answer.  Loops have fuel; [Some] is an answer and [None] the end of the
    fuel.  Fractions are reduced, as the library's are, for that decides how many bits a draw takes. *)
Require Import ZArith List Bool.
From DP Require Import BitTree.
Open Scope Z_scope.

Definition then_ {A B} (t : tree (option A)) (k : A -> tree (option B)) : tree (option B) :=
  bind_tree t (fun o => match o with Some a => k a | None => Ret None end).

(** [random_bits]: the first bit is the highest. *)
Fixpoint read (bits : nat) (so_far : Z) : tree Z :=
  match bits with
  | O => Ret so_far
  | S n => Flip (fun b => read n (2 * so_far + (if b then 1 else 0)))
  end.

(** The number of binary digits, [significant_bits]. *)
Definition digits (n : Z) : nat := if n <=? 0 then O else Z.to_nat (Z.log2 n + 1).

(** [uniform_below]. *)
Fixpoint uniform (fuel : nat) (bound : Z) : tree (option Z) :=
  match fuel with
  | O => Ret None
  | S f => bind_tree (read (digits (bound - 1)) 0) (fun v => if v <? bound then Ret (Some v) else uniform f bound)
  end.

Definition reduced (num den : Z) : Z * Z := let g := Z.gcd num den in (num / g, den / g).

(** [bernoulli_rational]: true with probability [num / den]. *)
Definition coin (fuel : nat) (num den : Z) : tree (option bool) :=
  let (n, d) := reduced num den in then_ (uniform fuel d) (fun v => Ret (Some (v <? n))).

(** [bernoulli] of a float, the fraction [num / den]: the binary digits of a uniform number against its own, [bits] at a time. *)
Fixpoint coin_digits (bits fuel : nat) (num den : Z) : tree (option bool) :=
  match fuel with
  | O => Ret None
  | S f => bind_tree (read bits 0) (fun u => let whole := num * 2 ^ Z.of_nat bits / den in
             if u =? whole then
               let rest := (num * 2 ^ Z.of_nat bits) mod den in
               if rest =? 0 then Ret (Some false) else coin_digits bits f rest den
             else Ret (Some (u <? whole)))
  end.

(** [bernoulli_exp_fraction]: true with probability [exp (- num / den)], for a fraction of at most 1. *)
Fixpoint coin_exp_fraction (fuel loops : nat) (num den round : Z) : tree (option bool) :=
  match loops with
  | O => Ret None
  | S l => then_ (coin fuel num (den * round)) (fun b =>
             if b then coin_exp_fraction fuel l num den (round + 1) else Ret (Some (Z.odd round)))
  end.

(** [bernoulli_exp]: a coin for each unit, then one for the rest. *)
Fixpoint coin_exp_units (fuel loops : nat) (units : nat) (num den : Z) : tree (option bool) :=
  match units with
  | O => coin_exp_fraction fuel loops num den 1
  | S u => then_ (coin_exp_fraction fuel loops 1 1 1) (fun b =>
             if b then coin_exp_units fuel loops u num den else Ret (Some false))
  end.
Definition coin_exp (fuel loops : nat) (num den : Z) : tree (option bool) :=
  coin_exp_units fuel loops (Z.to_nat (num / den)) (num mod den) den.

(** The number of times that a coin of bias [exp (-1)] falls true. *)
Fixpoint geometric (fuel loops : nat) (so_far : Z) : tree (option Z) :=
  match loops with
  | O => Ret None
  | S l => then_ (coin_exp fuel fuel 1 1) (fun b => if b then geometric fuel l (so_far + 1) else Ret (Some so_far))
  end.

(** [geometric] of the library, with scale [t / s] in lowest terms. *)
Fixpoint size_loop (fuel loops : nat) (t s : Z) : tree (option Z) :=
  match loops with
  | O => Ret None
  | S l => then_ (uniform fuel t) (fun u => then_ (coin_exp fuel fuel u t) (fun keep =>
             if keep then then_ (geometric fuel fuel 0) (fun v => Ret (Some ((u + t * v) / s)))
             else size_loop fuel l t s))
  end.
Definition discrete_geometric (fuel : nat) (num den : Z) : tree (option Z) :=
  if num =? 0 then Ret (Some 0) else let (t, s) := reduced num den in size_loop fuel fuel t s.

(** [discrete_laplace] with scale [t / s] in lowest terms. *)
Fixpoint laplace_loop (fuel loops : nat) (t s : Z) : tree (option Z) :=
  match loops with
  | O => Ret None
  | S l => then_ (uniform fuel t) (fun u => then_ (coin_exp fuel fuel u t) (fun keep =>
             if keep then then_ (geometric fuel fuel 0) (fun v => let size := (u + t * v) / s in
               Flip (fun negative => if negative && (size =? 0) then laplace_loop fuel l t s
                                     else Ret (Some (if negative then - size else size))))
             else laplace_loop fuel l t s))
  end.
Definition discrete_laplace (fuel : nat) (num den : Z) : tree (option Z) :=
  if num =? 0 then Ret (Some 0) else let (t, s) := reduced num den in laplace_loop fuel fuel t s.

(** [discrete_gaussian] with scale [num / den]: with [t = floor(scale) + 1], a candidate [z] is kept with probability
    [exp (- (|z| - scale^2 / t)^2 / (2 scale^2))]. *)
Fixpoint gaussian_loop (fuel loops : nat) (num den t : Z) : tree (option Z) :=
  match loops with
  | O => Ret None
  | S l => then_ (discrete_laplace fuel t 1) (fun z =>
             let offset := Z.abs z * den ^ 2 * t - num ^ 2 in
             then_ (coin_exp fuel fuel (offset ^ 2) (2 * den ^ 2 * t ^ 2 * num ^ 2)) (fun keep =>
               if keep then Ret (Some z) else gaussian_loop fuel l num den t))
  end.
Definition discrete_gaussian (fuel : nat) (num den : Z) : tree (option Z) :=
  if num =? 0 then Ret (Some 0) else gaussian_loop fuel fuel num den (num / den + 1).
