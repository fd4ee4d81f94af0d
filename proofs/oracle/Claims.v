(** What each map promises of any number that is not below its formula: the theorem of the map, applied.

    A formula is the theory's, with its roundings; where the theory has a case for 0, the formula is not below it. *)
Require Import Reals ZArith NArith Bool List Lra Psatz Lia Permutation.
From DP Require Import Expect Approx Rounding Maps Dataset Totals Measures DualRenyi GaussianDivergence categories keys.
From DP Require PureToZCDP Pairs laplace gaussian composition sum count_by_categories sum_by_categories bounded_range_to_zCDP
  pureDP_to_bounded_range pureDP_to_zCDP GDP_to_zCDP randomized_response_bool randomized_response randomized_response_bitvec
  count_by sum_by count_individuals_by moments mean variance sum_of_squared_deviations zCDP_to_RDP fixed_approxDP_to_approxDP
  zCDP_to_approxDP RDP_to_approxDP bound_contributions sum_by_categories_of_individuals vector_sum norms b_ary_tree covariance linear_queries.
From Flocq Require Import Core.Core.
From DP Require Import Oracle.Gaussian Oracle.Formulas.
Import ListNotations.
Open Scope R_scope.

Definition natural (n : N) : formula := Int (Z.of_N n).
Lemma natural_value b n : value b (natural n) = INR (N.to_nat n).
Proof. simpl; now rewrite INR_IZR_INZ, N_nat_Z. Qed.

(** ** Arithmetic that maps share *)
Definition moved_f (d : N) (step : formula) : formula := if N.eqb d 0 then Int 0 else Up (Mul (natural d) step).
Lemma moved_value d step : rounded (moved_f d step) = moved (N.to_nat d) (rounded step).
Proof.
  unfold moved_f, moved; destruct (N.eqb_spec d 0) as [->|D]; [reflexivity|].
  destruct (N.to_nat d) eqn:E; [lia|]; rewrite <- E; cbn [value]; now rewrite natural_value.
Qed.

Definition magnitude_f (l u : number) : formula := Max (Abs (Dn (num l))) (Abs (Up (num u))).
Lemma magnitude_value l u : rounded (magnitude_f l u) = magnitude (real l) (real u).
Proof. unfold magnitude_f; cbn [value]; now rewrite !num_value. Qed.
Definition range_f (l u : number) : formula := Up (Sub (Up (num u)) (Dn (num l))).
Lemma range_value l u : rounded (range_f l u) = range (real l) (real u).
Proof. unfold range_f; cbn [value]; now rewrite !num_value. Qed.

Definition rows_moved (M : row_metric) (d : N) : N := match unit M with Replace => d | AddOrRemove => N.div2 d end.
Lemma half d : N.to_nat (N.div2 d) = (N.to_nat d / 2)%nat.
Proof. rewrite N2Nat.inj_div2; apply Nat.div2_div. Qed.

(** ** Noise *)
Lemma quotient_above s d : (if Req_EM_T d 0 then 0 else inf_div d s) <= up (d / s).
Proof. destruct (Req_EM_T d 0) as [->|_]; [|apply Rle_refl]; unfold Rdiv; rewrite Rmult_0_l; apply up_ge. Qed.

Definition quotient_f (d s : number) : formula := Up (Div (num d) (num s)).
Lemma quotient_value d s : rounded (quotient_f d s) = up (real d / real s).
Proof. unfold quotient_f; cbn [value]; now rewrite !num_value. Qed.

Lemma laplace_closes d s v : rounded (quotient_f d s) <= v ->
  forall (Hs : 0 < real s) g (Hg : 0 < g) Y (release : list Z -> Y) xs xs', length xs = length xs' ->
  distance l1 xs xs' <= real d ->
  Approx.close v 0 (dmap release (laplace.multiples (real s) Hs g Hg xs)) (dmap release (laplace.multiples (real s) Hs g Hg xs')).
Proof.
  rewrite quotient_value; intros V Hs g Hg Y release xs xs' E H.
  apply close_mono with (laplace.laplace_map (real s) (real d)) 0; [|lra|now apply laplace.make_laplace_released].
  eapply Rle_trans; [apply quotient_above|exact V].
Qed.
Definition laplace_claim d s := {| map_of := quotient_f d s; closes := laplace_closes d s |}.

Definition gaussian_f (d s : number) : formula := Up (Div (Mul (Div (num d) (num s)) (Div (num d) (num s))) (Int 2)).
Lemma gaussian_closes d s v : rounded (gaussian_f d s) <= v ->
  forall (Hs : 0 < real s) g (Hg : 0 < g) Y (release : list Z -> Y) xs xs', length xs = length xs' ->
  distance l2 xs xs' <= real d ->
  zero_concentrated v (dmap release (gaussian.multiples (real s) Hs g Hg xs)) (dmap release (gaussian.multiples (real s) Hs g Hg xs')).
Proof.
  unfold gaussian_f; cbn [value]; rewrite !num_value; intros V Hs g Hg Y release xs xs' E H.
  assert (L : gaussian.gaussian_map (real s) (real d) <= v).
  { eapply Rle_trans; [|exact V]; unfold gaussian.gaussian_map; destruct (Req_EM_T (real d) 0) as [->|_]; [|apply Rle_refl].
    unfold Rdiv; rewrite !Rmult_0_l; apply up_ge. }
  destruct (gaussian.make_gaussian_numbers (real s) Hs g Hg release xs xs' _ E H).
  split; (eapply zCDP_mono; [exact L|assumption]).
Qed.
Definition gaussian_claim d s := {| map_of := gaussian_f d s; closes := gaussian_closes d s |}.

Lemma gaussian_mu_closes d s v : rounded (quotient_f d s) <= v ->
  forall (Hs : 0 < real s) g (Hg : 0 < g) Y (release : list Z -> Y) xs xs', length xs = length xs' ->
  distance l2 xs xs' <= real d ->
  gaussian_divergence v (dmap release (gaussian.multiples (real s) Hs g Hg xs)) (dmap release (gaussian.multiples (real s) Hs g Hg xs')).
Proof.
  rewrite quotient_value; intros V Hs g Hg Y release xs xs' E H.
  destruct (gaussian.make_gaussian_numbers_mu (real s) Hs g Hg release xs xs' _ E H).
  assert (L : gaussian.gaussian_mu (real s) (real d) <= v) by (eapply Rle_trans; [apply quotient_above|exact V]).
  split; (eapply no_easier_mono; [exact L|assumption]).
Qed.
Definition gaussian_mu_claim d s := {| map_of := quotient_f d s; closes := gaussian_mu_closes d s |}.

(** ** Composition *)
Definition total_f (l : list formula) : formula := fold_right Add (Int 0) l.
Lemma total_value b l : value b (total_f l) = composition.total (map (value b) l).
Proof. induction l as [|f l IH]; [reflexivity|]; unfold total_f, composition.total in *; simpl; now rewrite <- IH. Qed.
Lemma num_list b l : map (value b) (map num l) = map real l.
Proof. rewrite map_map; apply map_ext, num_value. Qed.
Definition sum_f (l : list number) : formula := Up (total_f (map num l)).
Lemma sum_value l : rounded (sum_f l) = up (composition.total (map real l)).
Proof. unfold sum_f; cbn [value]; now rewrite total_value, num_list. Qed.

Lemma pure_composition_closes es v : rounded (sum_f es) <= v ->
  forall Y (Ps Qs : list (dist Y)), composition.part_by_part max_divergence (map real es) Ps Qs ->
  max_divergence v (composition.all Ps) (composition.all Qs).
Proof.
  rewrite sum_value; intros V Y Ps Qs H; destruct (composition.make_composition_max_divergence _ _ _ H).
  split; (eapply close_mono; [exact V|apply Rle_refl|assumption]).
Qed.
Definition pure_composition_claim es := {| map_of := sum_f es; closes := pure_composition_closes es |}.

Lemma concentrated_composition_closes rs v : rounded (sum_f rs) <= v ->
  forall Y (Ps Qs : list (dist Y)), composition.part_by_part zero_concentrated (map real rs) Ps Qs ->
  zero_concentrated v (composition.all Ps) (composition.all Qs).
Proof.
  rewrite sum_value; intros V Y Ps Qs H; destruct (composition.make_composition_zero_concentrated _ _ _ H).
  split; (eapply zCDP_mono; [exact V|assumption]).
Qed.
Definition concentrated_composition_claim rs := {| map_of := sum_f rs; closes := concentrated_composition_closes rs |}.

Lemma range_composition_closes es v : rounded (sum_f es) <= v ->
  forall Y (Ps Qs : list (dist Y)), composition.part_by_part range_divergence (map real es) Ps Qs ->
  range_divergence v (composition.all Ps) (composition.all Qs).
Proof.
  rewrite sum_value; intros V Y Ps Qs H.
  eapply PureToZCDP.bounded_range_mono; [exact V|now apply composition.make_composition_range_divergence].
Qed.
Definition range_composition_claim es := {| map_of := sum_f es; closes := range_composition_closes es |}.

(** The deltas of pairs; their epsilons add up as those of pure losses. *)
Lemma deltas_composition_closes ds v : rounded (sum_f ds) <= v ->
  forall Y es (Ps Qs : list (dist Y)), composition.approximately es (map real ds) Ps Qs ->
  composition.approximately es (map real ds) Qs Ps ->
  Approx.close (up (composition.total es)) v (composition.all Ps) (composition.all Qs) /\
  Approx.close (up (composition.total es)) v (composition.all Qs) (composition.all Ps).
Proof.
  rewrite sum_value; intros V Y es Ps Qs H G; destruct (composition.make_composition_approximate _ _ _ _ H G).
  split; (eapply close_mono; [apply Rle_refl|exact V|assumption]).
Qed.
Definition deltas_composition_claim ds := {| map_of := sum_f ds; closes := deltas_composition_closes ds |}.

Definition scaled_f (unit mu : number) : formula :=
  let scaled := Up (Div (num mu) (num unit)) in Up (Mul scaled scaled).
Definition root_f (unit : number) (mus : list number) : formula :=
  Up (Mul (Up (Sqrt (Up (total_f (map (scaled_f unit) mus))))) (num unit)).
Lemma mu_composition_closes unit mus v : rounded (root_f unit mus) <= v ->
  0 < real unit -> Forall (fun mu => 0 <= real mu) mus ->
  forall Y (Ps Qs : list (dist Y)), composition.part_by_part gaussian_divergence (map real mus) Ps Qs ->
  gaussian_divergence v (composition.all Ps) (composition.all Qs).
Proof.
  unfold root_f; cbn [value]; rewrite total_value, map_map, num_value; intros V U F Y Ps Qs H.
  assert (L : composition.gaussian_composition (real unit) (map real mus) <= v).
  { eapply Rle_trans; [|exact V]; unfold composition.gaussian_composition.
    replace (map (fun x => rounded (scaled_f unit x)) mus) with (map (composition.scaled_square (real unit)) (map real mus)) by
      (rewrite map_map; apply map_ext; intros x; unfold scaled_f; cbn [value]; now rewrite !num_value).
    destruct (Req_EM_T _ 0); [|apply Rle_refl].
    eapply Rle_trans; [|apply up_ge]; apply Rmult_le_pos; [|lra]; eapply Rle_trans; [apply sqrt_pos|apply up_ge]. }
  destruct (composition.make_composition_gaussian_divergence (real unit) (map real mus) Ps Qs U) as [A B]; auto.
  { rewrite Forall_map; exact F. }
  split; (eapply no_easier_mono; [exact L|assumption]).
Qed.
Definition mu_composition_claim unit mus := {| map_of := root_f unit mus; closes := mu_composition_closes unit mus |}.

(** ** Measures *)
Definition square_over_f (x : number) (z : Z) : formula := Up (Div (Mul (num x) (num x)) (Int z)).

Lemma gaussian_to_zcdp_closes mu v : rounded (square_over_f mu 2) <= v -> 0 <= real mu ->
  forall Y (P Q : dist Y), gaussian_divergence (real mu) P Q -> zero_concentrated v P Q.
Proof.
  unfold square_over_f; cbn [value]; rewrite !num_value; intros V M Y P Q H.
  destruct (GDP_to_zCDP.make_GDP_to_zCDP (real mu) P Q M H); split; (eapply zCDP_mono; [exact V|assumption]).
Qed.
Definition gaussian_to_zcdp_claim mu := {| map_of := square_over_f mu 2; closes := gaussian_to_zcdp_closes mu |}.

Lemma range_to_zcdp_closes eta v : rounded (square_over_f eta 8) <= v ->
  forall Y (P Q : dist Y), range_divergence (real eta) P Q -> zero_concentrated v P Q.
Proof.
  unfold square_over_f; cbn [value]; rewrite !num_value; intros V Y P Q H.
  destruct (bounded_range_to_zCDP.make_bounded_range_to_zCDP (real eta) P Q H); split; (eapply zCDP_mono; [exact V|assumption]).
Qed.
Definition range_to_zcdp_claim eta := {| map_of := square_over_f eta 8; closes := range_to_zcdp_closes eta |}.

Definition double_f (epsilon : number) : formula := Up (Mul (num epsilon) (Int 2)).
Lemma pure_to_range_closes epsilon v : rounded (double_f epsilon) <= v ->
  forall Y (P Q : dist Y), max_divergence (real epsilon) P Q -> range_divergence v P Q.
Proof.
  unfold double_f; cbn [value]; rewrite num_value; intros V Y P Q H.
  eapply PureToZCDP.bounded_range_mono; [exact V|now apply pureDP_to_bounded_range.make_pureDP_to_bounded_range].
Qed.
Definition pure_to_range_claim epsilon := {| map_of := double_f epsilon; closes := pure_to_range_closes epsilon |}.

Definition epsilon_tanh_f (epsilon : number) : formula :=
  let minus := Sub (Int 0) (num epsilon) in let shrunk := Sub (Exp minus) (Int 1) in
  Div (Mul minus shrunk) (Add (Int 2) shrunk).
Lemma pure_to_zcdp_closes epsilon v : rounded (epsilon_tanh_f epsilon) <= v -> 0 <= real epsilon ->
  forall Y (P Q : dist Y), max_divergence (real epsilon) P Q -> zero_concentrated v P Q.
Proof.
  unfold epsilon_tanh_f; cbn [value]; rewrite num_value, Rminus_0_l; intros V E Y P Q H.
  destruct (pureDP_to_zCDP.make_pureDP_to_zCDP (real epsilon) v P Q E V H); split; (eapply zCDP_mono; [apply Rmin_l|eassumption]).
Qed.
Definition pure_to_zcdp_claim epsilon := {| map_of := epsilon_tanh_f epsilon; closes := pure_to_zcdp_closes epsilon |}.

(** The tangent is below 1, which is as good where it is 1 to all digits of a float. *)
Lemma pure_to_zcdp_far_closes epsilon v : rounded (num epsilon) <= v -> 0 <= real epsilon ->
  forall Y (P Q : dist Y), max_divergence (real epsilon) P Q -> zero_concentrated v P Q.
Proof.
  rewrite num_value; intros V E; apply pure_to_zcdp_closes; auto; eapply Rle_trans; [|exact V].
  unfold epsilon_tanh_f; cbn [value]; rewrite num_value, Rminus_0_l; set (e := real epsilon) in *.
  pose proof (exp_pos (- e)) as Q; set (q := exp (- e)) in *.
  replace (- e * (q - 1) / (2 + (q - 1))) with (e * ((1 - q) * / (1 + q))) by (field; lra).
  rewrite <- (Rmult_1_r e) at 2; apply Rmult_le_compat_l; auto.
  apply Rmult_le_reg_r with (1 + q); [lra|]; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Definition pure_to_zcdp_far_claim epsilon := {| map_of := num epsilon; closes := pure_to_zcdp_far_closes epsilon |}.

(** At one order of the curve. *)
Definition product_f (x y : number) : formula := Up (Mul (num x) (num y)).
Lemma zcdp_to_rdp_closes order rho v : rounded (product_f order rho) <= v -> 1 < real order -> 0 <= real rho ->
  forall Y (P Q : dist Y), zero_concentrated (real rho) P Q -> renyi (real order) v P Q /\ renyi (real order) v Q P.
Proof.
  unfold product_f; cbn [value]; rewrite !num_value; intros V O Hr Y P Q H.
  destruct (zCDP_to_RDP.make_zCDP_to_RDP (fun al => al) (real rho) P Q Hr (fun al _ => Rle_refl al) H (real order) O).
  assert (L : zCDP_to_RDP.concentrated (fun al => al) (real rho) (real order) <= v).
  { eapply Rle_trans; [|exact V]; unfold zCDP_to_RDP.concentrated; destruct (Req_EM_T (real rho) 0) as [->|_]; [|apply Rle_refl].
    rewrite Rmult_0_r; apply up_ge. }
  split; (eapply zCDP_to_RDP.renyi_mono; [exact O|exact L|assumption]).
Qed.
Definition zcdp_to_rdp_claim order rho := {| map_of := product_f order rho; closes := zcdp_to_rdp_closes order rho |}.

(** At one epsilon of the profile. *)
Definition pair_delta_f (own delta epsilon : number) : formula :=
  Add (num delta) (Mul (Sub (Int 1) (num delta)) (Max (Int 0)
    (Div (Sub (Int 1) (Exp (Sub (num epsilon) (num own)))) (Add (Int 1) (Exp (Sub (Int 0) (num own))))))).
(** Over [exp own], so that nothing is large. *)
Lemma pair_delta_value own delta epsilon : rounded (pair_delta_f own delta epsilon) =
  fixed_approxDP_to_approxDP.pair_delta (real own) (real delta) (real epsilon).
Proof.
  unfold pair_delta_f, fixed_approxDP_to_approxDP.pair_delta, fixed_approxDP_to_approxDP.response_delta; cbn [value]; rewrite !num_value; do 3 f_equal.
  rewrite Rminus_0_l; unfold Rminus; rewrite exp_plus, exp_Ropp; pose proof (exp_pos (real own)); field; lra.
Qed.
Lemma pair_delta_closes own delta epsilon v : rounded (pair_delta_f own delta epsilon) <= v ->
  0 <= real own -> 0 <= real delta <= 1 -> 0 <= real epsilon ->
  forall Y (P Q : dist Y), approximate max_divergence (real own) (real delta) P Q ->
  Approx.close (real epsilon) (Rmin v 1) P Q /\ Approx.close (real epsilon) (Rmin v 1) Q P.
Proof.
  rewrite pair_delta_value; intros V O D E Y P Q H.
  pose (upper := fun e => if Req_EM_T e (real epsilon) then v else fixed_approxDP_to_approxDP.pair_delta (real own) (real delta) e).
  replace v with (upper (real epsilon)) by (unfold upper; destruct (Req_EM_T (real epsilon) (real epsilon)); congruence).
  refine (fixed_approxDP_to_approxDP.make_fixed_approxDP_to_approxDP (real own) (real delta) upper P Q O D _ H (real epsilon) E).
  intros e _; unfold upper; destruct (Req_EM_T e (real epsilon)) as [->|_]; [exact V|apply Rle_refl].
Qed.
Definition pair_delta_claim own delta epsilon :=
  {| map_of := pair_delta_f own delta epsilon; closes := pair_delta_closes own delta epsilon |}.

Definition entropy_f (t : number) : formula :=
  Sub (Mul (Add (num t) (Int 1)) (Ln (Add (Int 1) (num t)))) (Mul (num t) (Ln (num t))).
Definition cdp_delta_f (rho epsilon t : number) : formula :=
  Exp (Sub (Mul (num t) (Add (Mul (num rho) (num t)) (Sub (num rho) (num epsilon)))) (entropy_f t)).
Lemma cdp_delta_closes rho epsilon t v : rounded (cdp_delta_f rho epsilon t) <= v -> 0 < real t ->
  forall Y (P Q : dist Y), zero_concentrated (real rho) P Q ->
  Approx.close (real epsilon) (Rmin v 1) P Q /\ Approx.close (real epsilon) (Rmin v 1) Q P.
Proof.
  unfold cdp_delta_f, entropy_f; cbn [value]; rewrite !num_value; intros V T Y P Q H.
  now apply (zCDP_to_approxDP.cdp_delta_any_order (real rho) (real epsilon) (real t) v P Q).
Qed.
Definition cdp_delta_claim rho epsilon t := {| map_of := cdp_delta_f rho epsilon t; closes := cdp_delta_closes rho epsilon t |}.

Definition renyi_delta_f (divergence epsilon t : number) : formula :=
  Exp (Sub (Mul (num t) (Sub (num divergence) (num epsilon))) (entropy_f t)).
Lemma renyi_delta_closes divergence epsilon t v : rounded (renyi_delta_f divergence epsilon t) <= v -> 0 < real t ->
  forall Y curve (P Q : dist Y), curve (1 + real t) = real divergence -> renyi_divergence curve P Q ->
  Approx.close (real epsilon) (Rmin v 1) P Q /\ Approx.close (real epsilon) (Rmin v 1) Q P.
Proof.
  unfold renyi_delta_f, entropy_f; cbn [value]; rewrite !num_value; intros V T Y curve P Q C H.
  apply (RDP_to_approxDP.renyi_delta_any_order curve (real epsilon) (real t) v P Q T); auto; now rewrite C.
Qed.
Definition renyi_delta_claim divergence epsilon t :=
  {| map_of := renyi_delta_f divergence epsilon t; closes := renyi_delta_closes divergence epsilon t |}.

(** ** Randomized response *)
Definition odds_f (p : number) (others : N) : formula :=
  Max (Up (Ln (Up (Div (Up (Mul (num p) (natural others))) (Dn (Sub (Int 1) (num p))))))) (Int 0).
Lemma odds_value p others : rounded (odds_f p others) = randomized_response_bool.loss_of_odds (real p) (INR (N.to_nat others)).
Proof. unfold odds_f; cbn [value]; rewrite natural_value, num_value; reflexivity. Qed.

Lemma response_bool_closes p v : rounded (odds_f p 1) <= v ->
  forall (Hp : 0 <= real p <= 1), 1 / 2 <= real p -> 0 < dn (1 - real p) ->
  forall x x', max_divergence v (randomized_response_bool.release (real p) Hp x) (randomized_response_bool.release (real p) Hp x').
Proof.
  rewrite odds_value; intros V Hp H D x x'.
  destruct (randomized_response_bool.make_randomized_response_bool (real p) Hp 1 x x' H D) as [A B]; [discriminate|].
  split; (eapply close_mono; [exact V|apply Rle_refl|assumption]).
Qed.
Definition response_bool_claim p := {| map_of := odds_f p 1; closes := response_bool_closes p |}.

Lemma response_closes others p v : rounded (odds_f p others) <= v ->
  forall (Ho : (0 < N.to_nat others)%nat) (Hp : 0 <= real p <= 1), / INR (S (N.to_nat others)) <= real p -> 0 < dn (1 - real p) ->
  forall x x', (forall i, x = Some i \/ x' = Some i -> (i < S (N.to_nat others))%nat) ->
  max_divergence v (randomized_response.response (N.to_nat others) Ho (real p) Hp x)
    (randomized_response.response (N.to_nat others) Ho (real p) Hp x').
Proof.
  rewrite odds_value; intros V Ho Hp H D x x' I.
  destruct (randomized_response.make_randomized_response (N.to_nat others) Ho (real p) Hp 1 x x' H D I) as [A B]; [discriminate|].
  split; (eapply close_mono; [exact V|apply Rle_refl|assumption]).
Qed.
Definition response_claim others p := {| map_of := odds_f p others; closes := response_closes others p |}.

Lemma response_bits_closes d p v : rounded (moved_f d (odds_f p 1)) <= v ->
  forall (Hp : 0 <= real p <= 1), 1 / 2 <= real p -> 0 < dn (1 - real p) ->
  forall x y, hamming (N.to_nat d) x y ->
  max_divergence v (randomized_response_bitvec.releases (real p) Hp x) (randomized_response_bitvec.releases (real p) Hp y).
Proof.
  rewrite moved_value, odds_value; intros V Hp H D x y A.
  destruct (randomized_response_bitvec.make_randomized_response_bitvec (real p) Hp H D _ x y A).
  split; (eapply close_mono; [exact V|apply Rle_refl|assumption]).
Qed.
Definition response_bits_claim d p := {| map_of := moved_f d (odds_f p 1); closes := response_bits_closes d p |}.

(** ** Sums and counts *)
Definition bounded_sum_f (M : row_metric) (sized : bool) (l u : number) (d : N) : formula :=
  match unit M with
  | Replace => moved_f d (range_f l u)
  | AddOrRemove => if sized then moved_f (N.div2 d) (range_f l u) else moved_f d (magnitude_f l u)
  end.
Lemma sum_closes M sized l u d v : rounded (bounded_sum_f M sized l u d) <= v ->
  real l <= real u -> forall (size : option nat) x y, (if size then true else false) = sized ->
  (forall w, In w x \/ In w y -> real l <= w <= real u) ->
  (forall n, size = Some n -> length x = n /\ length y = n) -> apart M (N.to_nat d) x y ->
  Rabs (sum.sum x - sum.sum y) <= v.
Proof.
  intros V L size x y S B F A; eapply Rle_trans; [now apply (sum.make_sum_stable M size _ _ _ x y L B F A)|].
  eapply Rle_trans; [right|exact V]; rewrite S; unfold sum.sum_map, bounded_sum_f.
  destruct (unit M), sized; now rewrite moved_value, ?half, ?range_value, ?magnitude_value.
Qed.
Definition sum_claim M sized l u d := {| map_of := bounded_sum_f M sized l u d; closes := sum_closes M sized l u d |}.

Definition step_f (C : category_metric) (c : row_change) (m r : formula) : formula :=
  match c, C with
  | AddOrRemove, _ => m
  | Replace, categories.L1Distance => Max r (Up (Mul m (Int 2)))
  | Replace, categories.L2Distance => Max r (Up (Mul m (Up (Sqrt (Int 2)))))
  | Replace, categories.LInfDistance monotonic => if monotonic then Max r (Up (Mul m (Int 2))) else Max r m
  end.
Lemma step_value C c m r : rounded (step_f C c m r) = step C c (rounded m) (rounded r).
Proof. destruct c, C as [| |[]]; reflexivity. Qed.

Lemma count_by_categories_closes C M d v : rounded (moved_f d (step_f C (unit M) (Int 1) (Int 0))) <= v ->
  forall K (position : K -> option nat) n x y, apart M (N.to_nat d) x y ->
  norm C n (vminus (count_by_categories.counts position x) (count_by_categories.counts position y)) <= v.
Proof.
  rewrite moved_value, step_value; intros V K position n x y A.
  eapply Rle_trans; [now apply (count_by_categories.make_count_by_categories_stable position C n M (N.to_nat d) x y)|exact V].
Qed.
Definition count_by_categories_claim C M d :=
  {| map_of := moved_f d (step_f C (unit M) (Int 1) (Int 0)); closes := count_by_categories_closes C M d |}.

Lemma sum_by_categories_closes C M l u d v : rounded (moved_f d (step_f C (unit M) (magnitude_f l u) (range_f l u))) <= v ->
  real l <= real u -> forall K (position : K -> option nat) n (x y : list (K * R)),
  (forall row, In row x \/ In row y -> real l <= snd row <= real u) -> apart M (N.to_nat d) x y ->
  norm C n (vminus (total (contribution position) x) (total (contribution position) y)) <= v.
Proof.
  rewrite moved_value, step_value, magnitude_value, range_value; intros V L K position n x y B A.
  eapply Rle_trans; [now apply (sum_by_categories.make_sum_by_categories_stable position C n _ _ L M (N.to_nat d))|exact V].
Qed.
Definition sum_by_categories_claim C M l u d :=
  {| map_of := moved_f d (step_f C (unit M) (magnitude_f l u) (range_f l u)); closes := sum_by_categories_closes C M l u d |}.

(** What an individual adds to sums, within two limits. *)
Definition each_of (rows each : N) : N := N.min each rows.
Definition all_of (n rows each : N) : N := N.min rows (n * each_of rows each).
Definition of_rows_f (C : category_metric) (n rows each : N) : formula :=
  match C with
  | categories.L1Distance => natural (all_of n rows each)
  | categories.L2Distance => Up (Sqrt (Up (natural (all_of n rows each * each_of rows each))))
  | categories.LInfDistance monotonic =>
      natural (if monotonic then N.min (all_of n rows each) (each_of rows each * 2) else each_of rows each)
  end.
Definition of_individual_f C n rows each l u : formula := Up (Mul (of_rows_f C n rows each) (magnitude_f l u)).
Lemma each_value rows each :
  N.to_nat (each_of rows each) = sum_by_categories_of_individuals.each (N.to_nat rows) (N.to_nat each).
Proof. apply N2Nat.inj_min. Qed.
Lemma all_value n rows each :
  N.to_nat (all_of n rows each) = sum_by_categories_of_individuals.all (N.to_nat n) (N.to_nat rows) (N.to_nat each).
Proof. unfold all_of; now rewrite N2Nat.inj_min, N2Nat.inj_mul, each_value. Qed.
Lemma of_individual_value C n rows each l u : rounded (of_individual_f C n rows each l u) =
  sum_by_categories_of_individuals.step_of_individual C (N.to_nat n) (N.to_nat rows) (N.to_nat each) (real l) (real u).
Proof.
  assert (E : rounded (of_rows_f C n rows each) =
    sum_by_categories_of_individuals.of_rows C (N.to_nat n) (N.to_nat rows) (N.to_nat each)).
  { destruct C as [| |[]]; unfold of_rows_f; cbn [value]; rewrite ?natural_value, ?N2Nat.inj_mul, ?N2Nat.inj_min, ?N2Nat.inj_mul;
      rewrite ?all_value, ?each_value; reflexivity. }
  unfold sum_by_categories_of_individuals.step_of_individual; rewrite <- E, <- magnitude_value; reflexivity.
Qed.
Lemma sum_of_individuals_closes C n rows each l u d v : rounded (moved_f d (of_individual_f C n rows each l u)) <= v ->
  forall P K (eq_dec : forall p q : P, {p = q} + {p <> q}) (position : K -> option nat) (le : P -> nat * R -> nat * R -> bool),
  (forall p a b, le p a b = true \/ le p b a = true) ->
  (forall p a b c, le p a b = true -> le p b c = true -> le p a c = true) ->
  (forall p a b, le p a b = true -> le p b a = true -> a = b) ->
  forall x y, (forall row, In row x \/ In row y -> real l <= snd (snd row) <= real u) -> individuals eq_dec (N.to_nat d) x y ->
  let sums := sum_by_categories_of_individuals.sums eq_dec position (N.to_nat n) (N.to_nat rows) (N.to_nat each) le in
  norm C (N.to_nat n) (vminus (sums x) (sums y)) <= v.
Proof.
  rewrite moved_value, of_individual_value; intros V P K eq_dec position le T1 T2 T3 x y B A sums; eapply Rle_trans; [|exact V].
  now apply sum_by_categories_of_individuals.make_sum_by_categories_of_individuals_stable.
Qed.
Definition sum_of_individuals_claim C n rows each l u d :=
  {| map_of := moved_f d (of_individual_f C n rows each l u); closes := sum_of_individuals_closes C n rows each l u d |}.

(** Of maps from keys, the norm and the greatest change. *)
Definition ones_f (MO : map_metric) (n : N) : formula :=
  match MO with L01InfDistance => natural n | L02InfDistance => Up (Sqrt (natural n)) end.
Lemma ones_value MO n : rounded (ones_f MO n) = norm_of_ones MO (N.to_nat n).
Proof. destruct MO; unfold ones_f; cbn [value]; now rewrite natural_value. Qed.
Definition keys_norm_f (MO : map_metric) (c : row_change) (m r : formula) : formula :=
  match c with AddOrRemove => m | Replace => Max r (Up (Mul m (ones_f MO 2))) end.
Definition keys_greatest_f (c : row_change) (m r : formula) : formula :=
  match c with AddOrRemove => m | Replace => Max r m end.
Lemma keys_apart {K} MO d c m r (f g : K -> R) ks :
  map_apart MO (map_moved MO (N.to_nat d) c (rounded m) (rounded r)) f g -> NoDup ks ->
  map_norm MO (length ks) (difference ks f g) <= rounded (moved_f d (keys_norm_f MO c m r)) /\
  linf (length ks) (difference ks f g) <= rounded (moved_f d (keys_greatest_f c m r)).
Proof.
  rewrite !moved_value; intros H N; pose proof (ones_value MO 2) as O; destruct c; destruct (H ks N) as (_ & A & B);
    split; try assumption; cbn [keys_norm_f value]; rewrite O; exact A.
Qed.

Section Keys.
Variables (MO : map_metric) (M : row_metric) (d : N).
Definition count_by_promise (measured : forall K, list K -> (K -> R) -> (K -> R) -> R) (v : R) : Prop :=
  forall K (eq_dec : forall p q : K, {p = q} + {p <> q}) x y, apart M (N.to_nat d) x y ->
  forall ks, NoDup ks -> measured K ks (count_by.counts eq_dec x) (count_by.counts eq_dec y) <= v.
Definition norm_of K (ks : list K) f g : R := map_norm MO (length ks) (difference ks f g).
Definition greatest_of K (ks : list K) f g : R := linf (length ks) (difference ks f g).
Lemma count_by_norm_closes v : rounded (moved_f d (keys_norm_f MO (unit M) (Int 1) (Int 0))) <= v -> count_by_promise norm_of v.
Proof.
  intros V K eq_dec x y A ks N; eapply Rle_trans; [|exact V].
  exact (proj1 (keys_apart MO d (unit M) (Int 1) (Int 0) _ _ ks (count_by.make_count_by_stable eq_dec M MO _ x y A) N)).
Qed.
Lemma count_by_greatest_closes v : rounded (moved_f d (keys_greatest_f (unit M) (Int 1) (Int 0))) <= v -> count_by_promise greatest_of v.
Proof.
  intros V K eq_dec x y A ks N; eapply Rle_trans; [|exact V].
  exact (proj2 (keys_apart MO d (unit M) (Int 1) (Int 0) _ _ ks (count_by.make_count_by_stable eq_dec M MO _ x y A) N)).
Qed.
Definition count_by_norm_claim :=
  {| map_of := moved_f d (keys_norm_f MO (unit M) (Int 1) (Int 0)); closes := count_by_norm_closes |}.
Definition count_by_greatest_claim :=
  {| map_of := moved_f d (keys_greatest_f (unit M) (Int 1) (Int 0)); closes := count_by_greatest_closes |}.

Variables l u : number.
Definition sum_by_promise (measured : forall K, list K -> (K -> R) -> (K -> R) -> R) (v : R) : Prop :=
  real l <= real u -> forall K (eq_dec : forall p q : K, {p = q} + {p <> q}) (x y : list (K * R)),
  (forall row, In row x \/ In row y -> real l <= snd row <= real u) -> apart M (N.to_nat d) x y ->
  forall ks, NoDup ks -> measured K ks (entry eq_dec x) (entry eq_dec y) <= v.
Lemma sum_by_apart K (eq_dec : forall p q : K, {p = q} + {p <> q}) (x y : list (K * R)) : real l <= real u ->
  (forall row, In row x \/ In row y -> real l <= snd row <= real u) -> apart M (N.to_nat d) x y ->
  map_apart MO (map_moved MO (N.to_nat d) (unit M) (rounded (magnitude_f l u)) (rounded (range_f l u))) (entry eq_dec x) (entry eq_dec y).
Proof. rewrite magnitude_value, range_value; intros; now apply sum_by.make_sum_by_stable. Qed.
Lemma sum_by_norm_closes v :
  rounded (moved_f d (keys_norm_f MO (unit M) (magnitude_f l u) (range_f l u))) <= v -> sum_by_promise norm_of v.
Proof.
  intros V L K eq_dec x y B A ks N; eapply Rle_trans; [|exact V].
  exact (proj1 (keys_apart MO d (unit M) _ _ _ _ ks (sum_by_apart K eq_dec x y L B A) N)).
Qed.
Lemma sum_by_greatest_closes v :
  rounded (moved_f d (keys_greatest_f (unit M) (magnitude_f l u) (range_f l u))) <= v -> sum_by_promise greatest_of v.
Proof.
  intros V L K eq_dec x y B A ks N; eapply Rle_trans; [|exact V].
  exact (proj2 (keys_apart MO d (unit M) _ _ _ _ ks (sum_by_apart K eq_dec x y L B A) N)).
Qed.
Definition sum_by_norm_claim :=
  {| map_of := moved_f d (keys_norm_f MO (unit M) (magnitude_f l u) (range_f l u)); closes := sum_by_norm_closes |}.
Definition sum_by_greatest_claim :=
  {| map_of := moved_f d (keys_greatest_f (unit M) (magnitude_f l u) (range_f l u)); closes := sum_by_greatest_closes |}.
End Keys.

Lemma count_individuals_closes MO d m v : rounded (moved_f d (ones_f MO m)) <= v ->
  forall P K (individual_dec : forall p q : P, {p = q} + {p <> q}) (key_dec : forall p q : K, {p = q} + {p <> q}) (le : P -> K -> K -> bool),
  (forall p a b, le p a b = true \/ le p b a = true) ->
  (forall p a b c, le p a b = true -> le p b c = true -> le p a c = true) ->
  (forall p a b, le p a b = true -> le p b a = true -> a = b) ->
  forall x y, individuals individual_dec (N.to_nat d) x y -> forall ks, NoDup ks ->
  norm_of MO K ks (count_individuals_by.individuals_by individual_dec key_dec le (N.to_nat m) x)
    (count_individuals_by.individuals_by individual_dec key_dec le (N.to_nat m) y) <= v.
Proof.
  rewrite moved_value, ones_value; intros V P K individual_dec key_dec le T1 T2 T3 x y A ks N; eapply Rle_trans; [|exact V].
  exact (proj1 (proj2 (count_individuals_by.make_count_individuals_by_stable individual_dec key_dec le T1 T2 T3 (N.to_nat m) MO _ x y A ks N))).
Qed.
Definition count_individuals_claim MO d m := {| map_of := moved_f d (ones_f MO m); closes := count_individuals_closes MO d m |}.

(** ** Moments *)
Definition per_f (step : formula) (n : N) : formula := Up (Div step (Dn (natural n))).
Lemma per_value step n : rounded (per_f step n) = moments.per (rounded step) (N.to_nat n).
Proof. unfold per_f; cbn [value]; now rewrite natural_value. Qed.
Definition replaced_f (M : row_metric) (step : formula) (d : N) : formula := moved_f (rows_moved M d) step.
Lemma replaced_value M step d : rounded (replaced_f M step d) = moments.map_of_replacements M (rounded step) (N.to_nat d).
Proof.
  unfold replaced_f, moments.map_of_replacements, rows_moved; destruct (unit M); now rewrite moved_value, ?half.
Qed.

Lemma mean_closes M l u n d v : rounded (replaced_f M (per_f (range_f l u) n) d) <= v ->
  (1 <= N.to_nat n)%nat -> real l <= real u -> forall x y, (forall w, In w x \/ In w y -> real l <= w <= real u) ->
  length x = N.to_nat n -> length y = N.to_nat n -> apart M (N.to_nat d) x y ->
  Rabs (moments.on_grid (mean.mean (N.to_nat n) x) - moments.on_grid (mean.mean (N.to_nat n) y)) <= v.
Proof.
  rewrite replaced_value, per_value, range_value; intros V Hn L x y B X Y A.
  eapply Rle_trans; [now apply (mean.make_mean_stable (real l) (real u) (N.to_nat n) Hn M (N.to_nat d) x y)|exact V].
Qed.
Definition mean_claim M l u n d := {| map_of := replaced_f M (per_f (range_f l u) n) d; closes := mean_closes M l u n d |}.

Definition square_f (l u : number) : formula := Up (Mul (range_f l u) (range_f l u)).
Lemma square_value l u : rounded (square_f l u) = inf_mul (range (real l) (real u)) (range (real l) (real u)).
Proof. unfold square_f; cbn [value]; now rewrite range_value. Qed.
Lemma variance_closes M l u n d v : rounded (replaced_f M (per_f (square_f l u) n) d) <= v ->
  (2 <= N.to_nat n)%nat -> real l <= real u -> forall x y, (forall w, In w x \/ In w y -> real l <= w <= real u) ->
  length x = N.to_nat n -> length y = N.to_nat n -> apart M (N.to_nat d) x y ->
  Rabs (moments.on_grid (variance.variance (N.to_nat n) x) - moments.on_grid (variance.variance (N.to_nat n) y)) <= v.
Proof.
  rewrite replaced_value, per_value, square_value; intros V Hn L x y B X Y A.
  eapply Rle_trans; [now apply (variance.make_variance_stable (real l) (real u) (N.to_nat n) Hn M (N.to_nat d) x y)|exact V].
Qed.
Definition variance_claim M l u n d := {| map_of := replaced_f M (per_f (square_f l u) n) d; closes := variance_closes M l u n d |}.

Definition share_f (step : formula) (n : N) : formula := Up (Mul step (Up (Div (Up (Int (Z.of_N n - 1))) (Dn (natural n))))).
Lemma moved_mono d s t : s <= t -> moved d s <= moved d t.
Proof. intros H; destruct d; [apply Rle_refl|]; apply up_mono, Rmult_le_compat_l; auto using pos_INR. Qed.
Lemma squared_deviations_closes M l u n d v : rounded (replaced_f M (share_f (square_f l u) n) d) <= v ->
  (2 <= N.to_nat n)%nat -> real l <= real u -> forall x y, (forall w, In w x \/ In w y -> real l <= w <= real u) ->
  length x = N.to_nat n -> length y = N.to_nat n -> apart M (N.to_nat d) x y ->
  Rabs (moments.on_grid (sum_of_squared_deviations.squared_deviations (N.to_nat n) x) -
    moments.on_grid (sum_of_squared_deviations.squared_deviations (N.to_nat n) y)) <= v.
Proof.
  intros V Hn L x y B X Y A.
  eapply Rle_trans; [apply (sum_of_squared_deviations.make_sum_of_squared_deviations_stable (real l) (real u) (N.to_nat n)
    ltac:(lia) M (N.to_nat d) x y); auto|eapply Rle_trans; [|exact V]].
  rewrite replaced_value; unfold moments.map_of_replacements.
  assert (S : sum_of_squared_deviations.squared_step (real l) (real u) (N.to_nat n) <= rounded (share_f (square_f l u) n)).
  { unfold sum_of_squared_deviations.squared_step, moments.share_of_others, moments.per, share_f; cbn [value].
    rewrite square_value, natural_value; destruct (Nat.leb_spec (N.to_nat n) 1); [lia|].
    apply up_mono, Rmult_le_compat_l.
    - eapply Rle_trans; [|apply (sum_of_squared_deviations.widths_sound (real l) (real u) (real l) (real u))]; auto; nra.
    - replace (INR (N.to_nat n - 1)) with (IZR (Z.of_N n - 1)); [apply Rmin_l|].
      rewrite INR_IZR_INZ; f_equal; lia. }
  destruct (unit M); now apply moved_mono.
Qed.
Definition squared_deviations_claim M l u n d :=
  {| map_of := replaced_f M (share_f (square_f l u) n) d; closes := squared_deviations_closes M l u n d |}.

(** ** Norms of sizes *)
Lemma up_natural n : (Z.of_nat n < 2 ^ 53)%Z -> up (INR n) = INR n.
Proof.
  intros L; apply round_generic; auto with typeclass_instances; apply generic_format_FLT.
  exists (Defs.Float radix2 (Z.of_nat n) 0); simpl; [|rewrite Z.abs_eq by lia; exact L|lia].
  unfold F2R; simpl; now rewrite INR_IZR_INZ, Rmult_1_r.
Qed.
Lemma up_one : up 1 = 1.
Proof. exact (up_natural 1 eq_refl). Qed.
Lemma sum_of_ones n k : (Z.of_nat (k + n) < 2 ^ 53)%Z -> fold_left inf_add (repeat 1 n) (INR k) = INR (k + n).
Proof.
  revert k; induction n as [|n IH]; intros k L; [cbn [repeat fold_left]; f_equal; lia|].
  cbn [repeat fold_left]; unfold inf_add at 2; rewrite <- S_INR; rewrite (up_natural (S k)) by lia; rewrite IH by lia; f_equal; lia.
Qed.
Lemma inf_sum_ones n : (Z.of_nat n < 2 ^ 53)%Z -> norms.inf_sum (repeat 1 n) = INR n.
Proof. intros L; exact (sum_of_ones n 0 L). Qed.
Lemma all_ones l : (forall x : R, In x l -> x = 1) -> l = repeat 1 (length l).
Proof. induction l as [|a l IH]; intros H; [reflexivity|]; simpl; rewrite (H a) at 1 by (now left); f_equal; apply IH; intros; apply H; now right. Qed.
Lemma map_ones (g : R -> R) k : g 1 = 1 -> map g (repeat 1 k) = repeat 1 k.
Proof. intros G; induction k as [|k IH]; [reflexivity|]; cbn [repeat map]; now rewrite G, IH. Qed.
Lemma falling_ones n : norms.falling (repeat 1 n) = repeat 1 n.
Proof.
  pose proof (bound_contributions.sort_perm norms.falls (repeat 1 n)) as P; fold (norms.falling (repeat 1 n)) in P.
  rewrite (all_ones (norms.falling (repeat 1 n))), <- (Permutation_length P), repeat_length; [reflexivity|].
  intros x I; apply (Permutation_in _ (Permutation_sym P)) in I; now apply repeat_spec in I.
Qed.
Lemma firstn_ones k n : firstn k (repeat 1 n) = repeat 1 (Nat.min k n).
Proof. revert n; induction k as [|k IH]; intros [|n]; simpl; auto; now rewrite IH. Qed.
Lemma greatest_ones n : norms.greatest (repeat 1 (S n)) = 1.
Proof.
  unfold norms.greatest; cbn [repeat fold_left]; rewrite Rmax_right by lra.
  induction n as [|n IH]; [reflexivity|]; cbn [repeat fold_left]; now rewrite Rmax_left by lra.
Qed.

Definition least_of (n : N) (monotonic : bool) : N := N.min (if monotonic then 2 else 1) n.
(** So many ones: [norm_up]. *)
Definition norm_of_ones_f (C : category_metric) (n : N) : formula :=
  match C with
  | categories.L1Distance => natural n
  | categories.L2Distance => Up (Mul (Int 1) (Up (Sqrt (natural n))))
  | categories.LInfDistance monotonic => natural (least_of n monotonic)
  end.
Lemma least_nat n (monotonic : bool) : N.to_nat (least_of n monotonic) = Nat.min (if monotonic then 2 else 1) (N.to_nat n).
Proof. unfold least_of; rewrite N2Nat.inj_min; now destruct monotonic. Qed.
Lemma norm_of_ones_above C n : (Z.of_N n < 2 ^ 53)%Z -> norms.norm_up C (repeat 1 (N.to_nat n)) <= rounded (norm_of_ones_f C n).
Proof.
  intros L; assert (L' : (Z.of_nat (N.to_nat n) < 2 ^ 53)%Z) by lia; destruct C as [| |monotonic]; cbn [norms.norm_up norm_of_ones_f value].
  - rewrite natural_value, inf_sum_ones by auto; apply Rle_refl.
  - destruct (N.to_nat n) as [|k] eqn:E.
    + unfold norms.greatest; simpl fold_left; cbv zeta; destruct (Req_EM_T 0 0); [|congruence].
      rewrite Rmult_1_l; eapply Rle_trans; [apply sqrt_pos|]; eapply Rle_trans; apply up_ge.
    + rewrite greatest_ones, natural_value, E; cbv zeta; destruct (Req_EM_T 1 0); [lra|].
      replace (map _ (repeat 1 (S k))) with (repeat 1 (S k)); [rewrite inf_sum_ones by auto; apply Rle_refl|].
      symmetry; apply map_ones; unfold inf_powi, inf_mul, inf_div.
      unfold Rdiv; now rewrite Rinv_1, !Rmult_1_l, !up_one, Rmult_1_l, up_one.
  - rewrite natural_value, falling_ones, firstn_ones, least_nat, inf_sum_ones; [apply Rle_refl|].
    destruct monotonic; lia.
Qed.

Definition per_euclidean_f (C : category_metric) (n : N) : formula :=
  match C with
  | categories.L1Distance => Up (Sqrt (Up (natural n)))
  | categories.L2Distance => if N.eqb n 0 then Int 0 else Int 1
  | categories.LInfDistance monotonic => Up (Sqrt (Up (natural (least_of n monotonic))))
  end.
Lemma per_euclidean_value C n : rounded (per_euclidean_f C n) = norms.per_euclidean C (N.to_nat n).
Proof.
  destruct C as [| |m]; cbn [per_euclidean_f norms.per_euclidean].
  - cbn [value]; now rewrite natural_value.
  - destruct (N.eqb_spec n 0) as [->|D]; [reflexivity|]; destruct (N.to_nat n) eqn:E; [lia|reflexivity].
  - cbn [value]; now rewrite natural_value, least_nat, Nat.min_comm.
Qed.

Definition ball_length_f (C : category_metric) (p : norms.ball_norm) (n : N) (radius : formula) : formula :=
  Up (Mul radius match p with
    | norms.L1 => norm_of_ones_f C (N.min 1 n)
    | norms.L2 => per_euclidean_f C n
    | norms.LInf => norm_of_ones_f C n
    end).
Lemma ball_length_above C p n radius : (Z.of_N n < 2 ^ 53)%Z -> 0 <= rounded radius ->
  norms.ball_length C p (N.to_nat n) (rounded radius) <= rounded (ball_length_f C p n radius).
Proof.
  intros L Hr; unfold norms.ball_length, ball_length_f; cbn [value]; apply up_mono, Rmult_le_compat_l; auto; destruct p.
  - replace (Nat.min 1 (N.to_nat n)) with (N.to_nat (N.min 1 n)) by apply N2Nat.inj_min; apply norm_of_ones_above.
    pose proof (N.le_min_r 1 n); lia.
  - rewrite per_euclidean_value; apply Rle_refl.
  - now apply norm_of_ones_above.
Qed.

Definition vector_step_f (C : category_metric) (p : norms.ball_norm) (n : N) (radius : number) (M : row_metric) : formula :=
  let length := ball_length_f C p n (num radius) in
  match unit M with AddOrRemove => length | Replace => Up (Mul length (Int 2)) end.
Lemma vector_sum_closes C p n radius M d v : rounded (moved_f d (vector_step_f C p n radius M)) <= v ->
  (Z.of_N n < 2 ^ 53)%Z -> 0 < real radius -> forall x y,
  (forall row, In row x \/ In row y -> vector_sum.member p (N.to_nat n) (real radius) row) -> apart M (N.to_nat d) x y ->
  norm C (N.to_nat n) (vminus (vector_sum.vector_sum x) (vector_sum.vector_sum y)) <= v.
Proof.
  rewrite moved_value; intros V L Hr x y B A.
  eapply Rle_trans; [now apply (vector_sum.make_vector_sum_stable C p (N.to_nat n) (real radius) Hr M (N.to_nat d) x y)|].
  eapply Rle_trans; [|exact V]; apply moved_mono; unfold vector_sum.vector_step, vector_step_f.
  assert (H : norms.ball_length C p (N.to_nat n) (real radius) <= rounded (ball_length_f C p n (num radius))).
  { rewrite <- (num_value true radius); apply ball_length_above; auto; rewrite num_value; lra. }
  destruct (unit M); [exact H|]; cbn [value]; apply up_mono; lra.
Qed.
Definition vector_sum_claim C p n radius M d :=
  {| map_of := moved_f d (vector_step_f C p n radius M); closes := vector_sum_closes C p n radius M d |}.

Definition layers_of (n b : N) : N := N.of_nat (length (b_ary_tree.layers (N.to_nat n) (N.to_nat n) (N.to_nat b))).
(** A vector of ones, which all move in one direction: [length_of]. *)
Definition length_of_ones_f (C : category_metric) (n : N) : formula :=
  match C with categories.LInfDistance true => natural (N.min 1 n) | _ => norm_of_ones_f C n end.
Lemma length_of_ones_above C n : (Z.of_N n < 2 ^ 53)%Z -> norms.length_of C (repeat 1 (N.to_nat n)) <= rounded (length_of_ones_f C n).
Proof.
  intros L; pose proof (norm_of_ones_above C n L) as H; rewrite <- (b_ary_tree.abs_ones (N.to_nat n)) in H.
  destruct C as [| |[]]; try exact H; cbn [norms.length_of length_of_ones_f]; rewrite natural_value, N2Nat.inj_min.
  destruct (N.to_nat n) as [|k]; [unfold norms.greatest; simpl; unfold inf_add; rewrite Rplus_0_l; right; apply round_0; auto with typeclass_instances|].
  rewrite greatest_ones; replace (norms.greatest (map Ropp (repeat 1 (S k)))) with 0.
  - unfold inf_add; rewrite Rplus_0_r, up_one; apply Rle_refl.
  - clear; unfold norms.greatest; induction (S k) as [|m IH]; [reflexivity|]; cbn [repeat map fold_left]; rewrite Rmax_left by lra; exact IH.
Qed.
Definition tree_f (C : category_metric) (b n : N) (d : number) : formula := Up (Mul (num d) (length_of_ones_f C (layers_of n b))).
Lemma tree_closes C b n d v : rounded (tree_f C b n d) <= v -> (2 <= N.to_nat b)%nat -> (Z.of_N (layers_of n b) < 2 ^ 53)%Z ->
  forall x y, (1 <= N.to_nat n)%nat -> length x = N.to_nat n -> length y = N.to_nat n ->
  distance l1 x y <= real d -> 0 <= real d ->
  let sums := b_ary_tree.tree Rplus 0 (N.to_nat b) in distance (norm C) (sums x) (sums y) <= v.
Proof.
  unfold tree_f; cbn [value]; rewrite num_value; intros V Hb L x y Hn X Y A D.
  eapply Rle_trans; [apply (b_ary_tree.make_b_ary_tree_stable C (N.to_nat b) Hb (N.to_nat n) (real d) x y Hn X Y A)|].
  eapply Rle_trans; [|exact V]; unfold b_ary_tree.tree_map_of; apply up_mono, Rmult_le_compat_l; auto.
  pose proof (length_of_ones_above C (layers_of n b) L) as H; unfold layers_of in H at 1; now rewrite Nat2N.id in H.
Qed.
Definition tree_claim C b n d := {| map_of := tree_f C b n d; closes := tree_closes C b n d |}.

(** Any sizes: [norm_up]. *)
Definition greatest_f (l : list formula) : formula := fold_left Max l (Int 0).
Lemma max_fold l a : rounded (fold_left Max l a) = fold_left Rmax (map rounded l) (rounded a).
Proof. revert a; induction l as [|b l IH]; intros a; [reflexivity|]; simpl; now rewrite IH. Qed.
Lemma greatest_value l : rounded (greatest_f l) = norms.greatest (map rounded l).
Proof. exact (max_fold l (Int 0)). Qed.
Definition inf_sum_f (l : list formula) : formula := fold_left (fun a b => Up (Add a b)) l (Int 0).
Lemma inf_sum_value l : rounded (inf_sum_f l) = norms.inf_sum (map rounded l).
Proof.
  unfold inf_sum_f, norms.inf_sum; change 0 with (rounded (Int 0)); generalize (Int 0).
  induction l as [|b l IH]; intros a; [reflexivity|]; simpl; now rewrite IH.
Qed.
Definition either_way (a b : formula) : formula := Max (inf_sum_f [a; b]) (inf_sum_f [b; a]).
Fixpoint sums_of_two (l : list formula) : list formula :=
  match l with [] => [] | a :: l => map (either_way a) l ++ sums_of_two l end.

Definition norm_up_f (C : category_metric) (l : list formula) : formula :=
  match C with
  | categories.L1Distance => inf_sum_f l
  | categories.L2Distance => let g := greatest_f l in
      Up (Mul g (Up (Sqrt (inf_sum_f (map (fun s => let r := Up (Div s g) in Up (Mul (Up (Mul (Int 1) r)) r)) l)))))
  | categories.LInfDistance monotonic =>
      if monotonic then match l with [_] => inf_sum_f l | _ => greatest_f (sums_of_two l) end else inf_sum_f [greatest_f l]
  end.

Definition adds_up (C : category_metric) : bool := match C with categories.LInfDistance _ => false | _ => true end.
Lemma norm_up_value C l : adds_up C = true -> rounded (norm_up_f C l) = norms.norm_up C (map rounded l).
Proof.
  destruct C as [| |m]; intros A; try discriminate; cbn [norm_up_f norms.norm_up]; [apply inf_sum_value|].
  cbn [value]; rewrite inf_sum_value, greatest_value, map_map; set (g := norms.greatest (map rounded l)); cbv zeta.
  destruct (Req_EM_T g 0) as [->|_]; [rewrite Rmult_0_l; apply round_0; auto with typeclass_instances|].
  unfold inf_mul, categories.inf_sqrt; do 5 f_equal; rewrite map_map; apply map_ext; intros s; cbn [value]; now rewrite greatest_value.
Qed.

Lemma top_two_sum l s t r : Permutation (map rounded l) (s :: t :: r) -> exists f, In f (sums_of_two l) /\ norms.inf_sum [s; t] <= rounded f.
Proof.
  assert (W : forall a l u, In u (map rounded l) -> exists f, In f (map (either_way a) l) /\
    norms.inf_sum [rounded a; u] <= rounded f /\ norms.inf_sum [u; rounded a] <= rounded f).
  { intros a k u I; apply in_map_iff in I; destruct I as (b & <- & I); exists (either_way a b); split; [now apply in_map|].
    split; [apply Rmax_l|apply Rmax_r]. }
  revert r; induction l as [|a l IH]; intros r P; [now apply Permutation_nil in P|].
  assert (I : In (rounded a) (s :: t :: r)) by (eapply Permutation_in; [exact P|now left]); cbn [sums_of_two map] in *.
  destruct I as [E|[E|I]].
  - rewrite E in P; apply Permutation_cons_inv in P.
    destruct (W a l t) as (f & F & A & _); [eapply Permutation_in; [apply Permutation_sym, P|now left]|].
    exists f; rewrite E; split; [apply in_or_app; now left|exact A].
  - rewrite E in P.
    assert (Q : Permutation (map rounded l) (s :: r)) by
      (apply Permutation_cons_inv with (rounded a); eapply Permutation_trans; [exact P|apply perm_swap]).
    destruct (W a l s) as (f & F & _ & A); [eapply Permutation_in; [apply Permutation_sym, Q|now left]|].
    exists f; rewrite E; split; [apply in_or_app; now left|exact A].
  - apply in_split in I; destruct I as (p & q & ->).
    destruct (IH (p ++ q)) as (f & F & A); [|exists f; split; [apply in_or_app; now right|exact A]].
    apply Permutation_cons_inv with (rounded a); eapply Permutation_trans; [exact P|].
    apply Permutation_sym; apply (Permutation_cons_app (s :: t :: p) q); apply Permutation_refl.
Qed.

Lemma norm_up_above C l : norms.norm_up C (map rounded l) <= rounded (norm_up_f C l).
Proof.
  destruct (adds_up C) eqn:A; [rewrite (norm_up_value C l A); apply Rle_refl|]; destruct C as [| |m]; try discriminate.
  cbn [norms.norm_up norm_up_f].
  pose proof (bound_contributions.sort_perm norms.falls (map rounded l)) as P; fold (norms.falling (map rounded l)) in P.
  destruct m.
  - destruct l as [|a [|b l]].
    + cbn [map] in *; apply Permutation_nil in P; rewrite P; cbn; apply Rle_refl.
    + apply Permutation_length_1_inv in P; rewrite P; simpl firstn; rewrite inf_sum_value; apply Rle_refl.
    + destruct (norms.falling (map rounded (a :: b :: l))) as [|s [|t r]] eqn:E;
        try (apply Permutation_length in P; simpl in P; discriminate).
      destruct (top_two_sum (a :: b :: l) s t r P) as (f & F & L); simpl firstn; eapply Rle_trans; [exact L|].
      rewrite greatest_value; apply norms.greatest_ge; now apply in_map.
  - destruct (norms.falling (map rounded l)) as [|t r] eqn:E; cbn [firstn]; rewrite inf_sum_value; cbn [map].
    + unfold norms.inf_sum; cbn [fold_left]; eapply Rle_trans; [|apply up_ge]; rewrite greatest_value.
      pose proof (norms.greatest_nonneg (map rounded l)); lra.
    + unfold norms.inf_sum; cbn [fold_left]; apply up_mono, Rplus_le_compat_l; rewrite greatest_value; apply norms.greatest_ge.
      eapply Permutation_in; [apply Permutation_sym, P|now left].
Qed.

Definition covariance_step_f (l u l' u' : number) (n : N) : formula := per_f (Up (Mul (range_f l u) (range_f l' u'))) n.
Lemma covariance_step_value l u l' u' n :
  rounded (covariance_step_f l u l' u' n) = moments.per (inf_mul (range (real l) (real u)) (range (real l') (real u'))) (N.to_nat n).
Proof. unfold covariance_step_f; rewrite per_value; cbn [value]; now rewrite !range_value. Qed.
Definition covariance_f (C : category_metric) (M : row_metric) (l u l' u' : number) (n d : N) : formula :=
  replaced_f M (norm_up_f C [covariance_step_f l u l u n; covariance_step_f l u l' u' n; covariance_step_f l' u' l' u' n]) d.
Lemma covariance_closes C M l u l' u' n d v : rounded (covariance_f C M l u l' u' n d) <= v ->
  (2 <= N.to_nat n)%nat -> real l <= real u -> real l' <= real u' ->
  let bounds := [(real l, real u); (real l', real u')] in forall x y,
  (forall row, In row x \/ In row y -> covariance.member bounds row) ->
  length x = N.to_nat n -> length y = N.to_nat n -> apart M (N.to_nat d) x y ->
  norm C 3 (vminus (covariance.covariances bounds (N.to_nat n) x) (covariance.covariances bounds (N.to_nat n) y)) <= v.
Proof.
  intros V Hn L L' bounds x y B X Y A.
  eapply Rle_trans; [refine (covariance.make_covariance_stable C bounds (N.to_nat n) Hn _ M (N.to_nat d) x y B X Y A)|].
  { intros b [<-|[<-|[]]]; assumption. }
  eapply Rle_trans; [|exact V]; unfold covariance_f; rewrite replaced_value; unfold moments.map_of_replacements.
  pose proof (norm_up_above C [covariance_step_f l u l u n; covariance_step_f l u l' u' n; covariance_step_f l' u' l' u' n]) as H.
  cbn [map] in H; rewrite !covariance_step_value in H; destruct (unit M); apply moved_mono; exact H.
Qed.
Definition covariance_claim C M l u l' u' n d :=
  {| map_of := covariance_f C M l u l' u' n d; closes := covariance_closes C M l u l' u' n d |}.

(** ** Matrices: the code takes the least of three bounds, so that one of them is not above its value. *)
Definition signed_f (matrix : list (list number)) : list (list formula) := map (map num) matrix.
Definition transposed_f (rows : list (list formula)) (n : nat) : list (list formula) :=
  map (fun j => map (fun row => nth j row (Int 0)) rows) (seq 0 n).
Definition reals (matrix : list (list number)) : list (list R) := map (map real) matrix.
Lemma signed_value matrix : map (map rounded) (signed_f matrix) = linear_queries.rows (reals matrix).
Proof.
  unfold signed_f, linear_queries.rows, reals; rewrite !map_map; apply map_ext; intros row; rewrite !map_map; apply map_ext.
  intros x; apply num_value.
Qed.
Lemma transposed_value matrix n : map (map rounded) (transposed_f (signed_f matrix) n) = linear_queries.columns (reals matrix) n.
Proof.
  unfold transposed_f, linear_queries.columns; rewrite <- signed_value, map_map; apply map_ext; intros j; rewrite !map_map.
  apply map_ext; intros row; change 0 with (rounded (Int 0)); now rewrite map_nth.
Qed.

(** [length_of], and [dual_of]; both are told exactly but for what is the greatest of sizes. *)
Definition length_of_f (C : category_metric) (l : list formula) : formula :=
  match C with
  | categories.LInfDistance true => Up (Add (greatest_f l) (greatest_f (map (Sub (Int 0)) l)))
  | _ => norm_up_f C (map Abs l)
  end.
Definition part_f (positive : bool) (l : list formula) : list formula :=
  map (fun x => Max (Int 0) (if positive then x else Sub (Int 0) x)) l.
Definition dual_of_f (M : category_metric) (l : list formula) : formula :=
  match M with
  | categories.LInfDistance true => Max (inf_sum_f (part_f true l)) (inf_sum_f (part_f false l))
  | _ => length_of_f (linear_queries.dual M) l
  end.
Definition is_told (C : category_metric) : bool := match C with categories.LInfDistance false => false | _ => true end.
Lemma abs_value l : map rounded (map Abs l) = map Rabs (map rounded l).
Proof. rewrite !map_map; apply map_ext; reflexivity. Qed.
Lemma opp_value l : map rounded (map (Sub (Int 0)) l) = map Ropp (map rounded l).
Proof. rewrite !map_map; apply map_ext; intros x; cbn [value]; ring. Qed.
Lemma part_value l : map rounded (part_f true l) = linear_queries.part 1 (map rounded l) /\ map rounded (part_f false l) = linear_queries.part (-1) (map rounded l).
Proof.
  unfold part_f, linear_queries.part; rewrite !map_map; split; apply map_ext; intros x; cbn [value]; f_equal; ring.
Qed.
Lemma length_of_monotonic l : rounded (length_of_f (categories.LInfDistance true) l) = norms.length_of (categories.LInfDistance true) (map rounded l).
Proof. cbn [length_of_f norms.length_of value]; now rewrite !greatest_value, opp_value. Qed.
Lemma length_of_value C l : is_told C = true -> rounded (length_of_f C l) = norms.length_of C (map rounded l).
Proof.
  destruct C as [| |[]]; intros T; try discriminate; [| |apply length_of_monotonic]; cbn [length_of_f norms.length_of];
    rewrite <- abs_value; now apply norm_up_value.
Qed.
Lemma length_of_above C l : norms.length_of C (map rounded l) <= rounded (length_of_f C l).
Proof.
  destruct (is_told C) eqn:T; [rewrite length_of_value by auto; apply Rle_refl|]; destruct C as [| |[]]; try discriminate.
  cbn [length_of_f norms.length_of]; rewrite <- abs_value; apply norm_up_above.
Qed.
Definition dual_told (M : category_metric) : bool := match M with categories.L1Distance => false | _ => true end.
Lemma dual_of_value M l : dual_told M = true -> rounded (dual_of_f M l) = linear_queries.dual_of M (map rounded l).
Proof.
  destruct M as [| |[]]; intros T; try discriminate; cbn [dual_of_f linear_queries.dual_of linear_queries.dual].
  - now apply length_of_value.
  - destruct (part_value l) as [P N]; cbn [value]; now rewrite !inf_sum_value, P, N.
  - now apply length_of_value.
Qed.
Lemma dual_of_above M l : linear_queries.dual_of M (map rounded l) <= rounded (dual_of_f M l).
Proof.
  destruct (dual_told M) eqn:T; [rewrite dual_of_value by auto; apply Rle_refl|]; destruct M as [| |[]]; try discriminate.
  apply length_of_above.
Qed.
Lemma lengths_value C l : is_told C = true -> map rounded (map (length_of_f C) l) = linear_queries.lengths (map (map rounded) l) C.
Proof. intros T; unfold linear_queries.lengths; rewrite !map_map; apply map_ext; intros; now apply length_of_value. Qed.

(** [apart], without a case: one of two differences is 0 when cut at 0. *)
Definition apart_f (a b : formula) : formula := Sub (Max (Int 0) (Up (Sub a b))) (Max (Int 0) (Up (Sub b a))).
Lemma apart_value a b : rounded (apart_f a b) = linear_queries.apart (rounded a) (rounded b).
Proof.
  unfold apart_f, linear_queries.apart; cbn [value]; set (x := rounded a); set (y := rounded b).
  assert (Z : up 0 = 0) by (apply round_0; auto with typeclass_instances).
  destruct (Rle_dec y x) as [L|L].
  - pose proof (up_mono 0 (x - y) ltac:(lra)) as P; pose proof (up_mono (y - x) 0 ltac:(lra)) as N; rewrite Z in *.
    rewrite Rmax_right, Rmax_left by lra; ring.
  - pose proof (up_mono 0 (y - x) ltac:(lra)) as P; pose proof (up_mono (x - y) 0 ltac:(lra)) as N; rewrite Z in *.
    rewrite Rmax_left, Rmax_right by lra; ring.
Qed.
Definition apart_rows_f (r s : list formula) : list formula := map (fun p => apart_f (fst p) (snd p)) (combine r s).
Fixpoint differences_f (rows : list (list formula)) : list (list formula) :=
  match rows with [] => [] | r :: rest => r :: map (apart_rows_f r) rest ++ differences_f rest end.
Lemma apart_rows_value r s : map rounded (apart_rows_f r s) = linear_queries.apart_rows (map rounded r) (map rounded s).
Proof.
  unfold apart_rows_f, linear_queries.apart_rows; revert s; induction r as [|a r IH]; intros [|b s]; try reflexivity; cbn [combine map fst snd].
  now rewrite apart_value, IH.
Qed.
Lemma differences_value rows : map (map rounded) (differences_f rows) = linear_queries.differences (map (map rounded) rows).
Proof.
  induction rows as [|r rows IH]; [reflexivity|]; cbn [differences_f linear_queries.differences map]; rewrite map_app, IH, !map_map.
  do 2 f_equal; apply map_ext; intros s; apply apart_rows_value.
Qed.

Definition columns_f (M MO : category_metric) (matrix : list (list number)) (n : nat) : formula :=
  dual_of_f M (map (length_of_f MO) (transposed_f (signed_f matrix) n)).
Definition rows_f (M MO : category_metric) (matrix : list (list number)) : formula :=
  norm_up_f MO (map (dual_of_f M) (signed_f matrix)).
Definition greatest_apart_f (M : category_metric) (matrix : list (list number)) : formula :=
  greatest_f (map (dual_of_f M) (differences_f (signed_f matrix))).
Lemma columns_above M MO matrix n : is_told MO = true ->
  linear_queries.matrix_norm (reals matrix) n true M MO <= rounded (columns_f M MO matrix n).
Proof.
  intros A; eapply Rle_trans; [unfold linear_queries.matrix_norm; eapply Rle_trans; apply Rmin_l|].
  unfold linear_queries.by_columns; rewrite <- transposed_value, <- lengths_value by auto; apply dual_of_above.
Qed.
Lemma duals_value M l : dual_told M = true -> map rounded (map (dual_of_f M) l) = map (linear_queries.dual_of M) (map (map rounded) l).
Proof. intros T; rewrite !map_map; apply map_ext; intros; now apply dual_of_value. Qed.
Lemma rows_above M MO matrix n : dual_told M = true -> MO <> categories.LInfDistance true ->
  linear_queries.matrix_norm (reals matrix) n true M MO <= rounded (rows_f M MO matrix).
Proof.
  intros A N; eapply Rle_trans; [unfold linear_queries.matrix_norm; eapply Rle_trans; [apply Rmin_l|apply Rmin_r]|].
  replace (linear_queries.by_rows (reals matrix) true M MO) with (linear_queries.of_rows (reals matrix) M MO) by (destruct MO as [| |[]]; congruence || reflexivity).
  unfold linear_queries.of_rows; rewrite <- signed_value, <- duals_value by auto; apply norm_up_above.
Qed.
Lemma differences_above M matrix n : dual_told M = true ->
  linear_queries.matrix_norm (reals matrix) n true M (categories.LInfDistance true) <= rounded (greatest_apart_f M matrix).
Proof.
  intros A; eapply Rle_trans; [unfold linear_queries.matrix_norm; eapply Rle_trans; [apply Rmin_l|apply Rmin_r]|].
  cbn [linear_queries.by_rows]; unfold linear_queries.by_differences, greatest_apart_f.
  rewrite greatest_value, duals_value, differences_value, signed_value by auto; apply Rle_refl.
Qed.

Definition lipschitz_promise M MO (matrix : list (list number)) (n : nat) (d : number) (v : R) : Prop :=
  (forall row, In row (reals matrix) -> length row = n) -> 0 <= real d ->
  forall x y, norm M n (vminus x y) <= real d ->
  norm MO (length (reals matrix)) (vminus (linear_queries.product (reals matrix) n x) (linear_queries.product (reals matrix) n y)) <= v.
Lemma lipschitz_promised M MO matrix n d f v :
  ((forall row, In row (reals matrix) -> length row = n) -> linear_queries.matrix_norm (reals matrix) n true M MO <= rounded f) ->
  rounded (Up (Mul (num d) f)) <= v -> lipschitz_promise M MO matrix n d v.
Proof.
  cbn [value]; rewrite num_value; intros F V Long D x y H; specialize (F Long).
  eapply Rle_trans; [now apply (linear_queries.make_linear_queries_stable (reals matrix) n Long true M MO (real d) x y)|].
  eapply Rle_trans; [|exact V]; unfold linear_queries.linear_queries_map; destruct (Req_EM_T _ 0) as [Z|_].
  - rewrite Z in F; eapply Rle_trans; [|apply up_ge]; now apply Rmult_le_pos.
  - now apply up_mono, Rmult_le_compat_l.
Qed.
Lemma columns_closes M MO matrix n d v : rounded (Up (Mul (num d) (columns_f M MO matrix n))) <= v ->
  is_told MO = true -> lipschitz_promise M MO matrix n d v.
Proof. intros V A; apply lipschitz_promised with (columns_f M MO matrix n); auto using columns_above. Qed.
Definition linear_queries_columns_claim M MO matrix n d :=
  {| map_of := Up (Mul (num d) (columns_f M MO matrix n)); closes := columns_closes M MO matrix n d |}.
Lemma rows_closes M MO matrix n d v : rounded (Up (Mul (num d) (rows_f M MO matrix))) <= v ->
  dual_told M = true -> MO <> categories.LInfDistance true -> lipschitz_promise M MO matrix n d v.
Proof. intros V A N; apply lipschitz_promised with (rows_f M MO matrix); auto using rows_above. Qed.
Definition linear_queries_rows_claim M MO matrix n d :=
  {| map_of := Up (Mul (num d) (rows_f M MO matrix)); closes := rows_closes M MO matrix n d |}.

Lemma differences_closes M matrix n d v : rounded (Up (Mul (num d) (greatest_apart_f M matrix))) <= v ->
  dual_told M = true -> lipschitz_promise M (categories.LInfDistance true) matrix n d v.
Proof. intros V A; apply lipschitz_promised with (greatest_apart_f M matrix); auto using differences_above. Qed.
Definition linear_queries_differences_claim M matrix n d :=
  {| map_of := Up (Mul (num d) (greatest_apart_f M matrix)); closes := differences_closes M matrix n d |}.

(** Under L2, by rows or by interpolation. *)
Definition greatest_sum_f (vectors : list (list formula)) : formula :=
  norm_up_f (categories.LInfDistance false) (map (length_of_f categories.L1Distance) vectors).
Lemma greatest_sum_above vectors : linear_queries.greatest_sum (map (map rounded) vectors) <= rounded (greatest_sum_f vectors).
Proof. unfold linear_queries.greatest_sum, greatest_sum_f; rewrite <- lengths_value by reflexivity; apply norm_up_above. Qed.
Definition interpolation_f (matrix : list (list number)) (n : N) : formula :=
  let sums := Mul (greatest_sum_f (transposed_f (signed_f matrix) (N.to_nat n))) (greatest_sum_f (signed_f matrix)) in
  let one := per_euclidean_f categories.L2Distance in
  Up (Mul (Up (Mul (Up (Sqrt (Up sums))) (Up (Mul (Int 1) (one n))))) (one (N.of_nat (length matrix)))).
Definition euclidean_f (matrix : list (list number)) (n : N) : formula :=
  Min (rows_f categories.L2Distance categories.L2Distance matrix) (interpolation_f matrix n).
Lemma euclidean_above matrix n : (forall row, In row (reals matrix) -> length row = N.to_nat n) ->
  linear_queries.matrix_norm (reals matrix) (N.to_nat n) true categories.L2Distance categories.L2Distance <= rounded (euclidean_f matrix n).
Proof.
  intros Long; unfold euclidean_f; cbn [value]; apply Rmin_glb; [now apply rows_above|].
  eapply Rle_trans; [unfold linear_queries.matrix_norm; apply Rmin_r|].
  destruct (linear_queries.greatest_nonneg_sums (reals matrix) (N.to_nat n)) as [PC PR].
  pose proof (greatest_sum_above (transposed_f (signed_f matrix) (N.to_nat n))) as C; rewrite transposed_value in C.
  pose proof (greatest_sum_above (signed_f matrix)) as W; rewrite signed_value in W.
  unfold linear_queries.by_interpolation, interpolation_f, inf_mul; cbv zeta; cbn [value linear_queries.ball_of norms.ball_length].
  rewrite !per_euclidean_value, Nat2N.id.
  replace (length (reals matrix)) with (length matrix) by (unfold reals; now rewrite map_length).
  apply up_mono, Rmult_le_compat_r; [apply norms.per_euclidean_nonneg|].
  apply up_mono, Rmult_le_compat_r; [eapply Rle_trans; [|apply up_ge]; pose proof (norms.per_euclidean_nonneg categories.L2Distance (N.to_nat n)); lra|].
  unfold categories.inf_sqrt; apply up_mono, sqrt_le_1_alt, up_mono; now apply Rmult_le_compat.
Qed.
Lemma euclidean_closes matrix n d v : rounded (Up (Mul (num d) (euclidean_f matrix n))) <= v ->
  lipschitz_promise categories.L2Distance categories.L2Distance matrix (N.to_nat n) d v.
Proof. intros V; apply lipschitz_promised with (euclidean_f matrix n); auto using euclidean_above. Qed.
Definition linear_queries_euclidean_claim matrix n d :=
  {| map_of := Up (Mul (num d) (euclidean_f matrix n)); closes := euclidean_closes matrix n d |}.
